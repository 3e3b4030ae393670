import { useEffect } from 'react'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { Switch } from '#portal/kit/field/switch.tsx'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { useAppearance } from '#portal/kit/ui/appearance.ts'
import { closeToast, showToast } from '#portal/kit/overlay/notices.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { Caps } from '#portal/kit/shortcuts/keys.tsx'
import { loadMessages, useWords, wordsNow } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'

const groups = [
  {
    title: 'keys.everywhere',
    keys: [
      [[shortcuts.palette], 'keys.palette'],
      [[shortcuts.search], 'keys.search'],
      [[shortcuts.help], 'keys.help'],
      [['Escape'], 'keys.close'],
    ],
  },
  {
    title: 'keys.in_sale',
    keys: [
      [[shortcuts.sale], 'keys.sale'],
      [[shortcuts.next], 'keys.next'],
      [[shortcuts.save], 'keys.save'],
      [[shortcuts.paste, 'Control+V'], 'keys.paste'],
      [['1–9', '↑', '↓', 'Enter'], 'keys.prices'],
      [['d', 'g', shortcuts.offer], 'keys.prices_more'],
      [[shortcuts.commission], 'keys.commission'],
      [['↓'], 'keys.surname'],
      [['Alt+Delete'], 'keys.remove'],
    ],
  },
  {
    title: 'keys.in_field',
    keys: [
      ['dates', 'keys.dates'],
      [['Tab'], 'keys.pick'],
    ],
  },
  {
    title: 'keys.in_list',
    keys: [
      [['↑', '↓', ...shortcuts.rows.split(' ')], 'keys.move'],
      [['Enter'], 'keys.open'],
      [['x'], 'keys.select'],
      [[shortcuts.mail], 'keys.mail'],
      [[shortcuts.offer], 'keys.offer'],
      [[shortcuts.change], 'keys.change'],
      [[shortcuts.cancel], 'keys.cancel'],
    ],
  },
] as const

export function KeysHelp({ onClose }: { onClose: () => void }) {
  const { words, locale } = useWords()
  const maySell = useMay('b2b-products-sell')
  const { letterKeys, prefer } = useAppearance()
  /** Returns keys by their names on keyboards of the language. */
  const named = (keys: string) => keys.replace('Delete', words('ui.key_delete')).replace('Shift', words('keys.name_shift'))
  const offered = groups.filter(({ title }) => maySell || title !== 'keys.in_sale')
  return (
    <Dialog open onClose={onClose} title={words('keys.title')} size="medium">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- focusable, so that the keyboard can scroll it */}
      <div role="group" aria-label={words('keys.title')} tabIndex={0} className="grid gap-4 -outline-offset-2">
        {offered.map(({ title, keys }) => (
          <section key={title} aria-label={words(title)}>
            <h3 className="text-sm font-semibold">{words(title)}</h3>
            <dl className="grid">
              {keys.map(([shown, label]) => (
                <div key={label} className="flex items-center justify-between gap-4 border-b border-line py-1.5 last:border-0">
                  <dt className="text-quiet">{words(label)}</dt>
                  <dd className="flex gap-2 whitespace-nowrap">
                    {shown === 'dates'
                      ? shortDates(locale).map(text => (
                          <kbd key={text} className="kbd">
                            {text}
                          </kbd>
                        ))
                      : shown.map(keys => <Caps key={keys} keys={named(keys)} />)}
                  </dd>
                </div>
              ))}
            </dl>
            {title === 'keys.in_field' && <p className="py-1.5 text-sm text-quiet">{words('keys.typing')}</p>}
          </section>
        ))}
        <Switch
          name="letterKeys"
          label={words('keys.letters')}
          hint={words('keys.letters_hint')}
          checked={letterKeys}
          onChange={isOn => prefer({ letterKeys: isOn })}
        />
      </div>
    </Dialog>
  )
}

/** Returns short dates in the language: `+7`, `1/12`, `fri`, `tomorrow`. */
function shortDates(locale: Locale): string[] {
  const friday = new Intl.DateTimeFormat(intlTag(locale), { weekday: 'long', timeZone: 'UTC' }).format(new Date('2027-01-01T00:00:00Z'))
  const tomorrow = new Intl.RelativeTimeFormat(intlTag(locale), { numeric: 'auto' }).format(1, 'day')
  return ['+7', '1/12', friday.slice(0, 3), tomorrow]
}

/** Shows that commission is hidden, until it is shown again. */
export async function sayHidden(): Promise<void> {
  await loadMessages('keys')
  showToast({ summary: wordsNow()('keys.commission_hidden'), detail: <WhileHidden /> })
}

/** The keys that show the commission again. They also close the toast, as it says what the client need not know. */
function WhileHidden() {
  const { words } = useWords()
  const isShown = useShowsCommission()
  useEffect(() => {
    if (isShown) closeToast()
  }, [isShown])
  return (
    <>
      <Caps keys={shortcuts.commission} className="mr-1 pointer-coarse:hidden" />
      {words('keys.commission_again')}
    </>
  )
}
