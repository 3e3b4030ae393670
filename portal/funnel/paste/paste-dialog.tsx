import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { recognise } from '#common/quotes/paste/paste.ts'
import { mostRead } from '#common/quotes/paste/text.ts'
import { usesSecondLastName } from '#common/policies/people.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { TextArea } from '#portal/kit/field/text-field.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { peopleForm } from '../people-form.ts'
import { saleInProgress } from '../sale.ts'
import { newTripForm } from '../store.ts'
import { droppedBy, othersTyped, type PastedPart, partsOf } from './fill-people.ts'
import { FieldRow, keyOf, PersonRow } from './pasted-rows.tsx'
import { Replaced } from './filled-callout.tsx'
import { type Chosen, chosenFrom, fitting, isOffered, withoutPeople } from './take-chosen.ts'

type Props = { product: Product; firstText: string; onFill: (chosen: Chosen) => void; onClose: () => void }

/**
 * Lists the values read from a pasted text, each with its source. Doubtful values, and those that would change a typed person, are not ticked at
 * first. The text is lost when the dialog closes.
 */
export function PasteDialog({ product, firstText, onFill, onClose }: Props) {
  const { words, locale } = useWords()
  const { list, number } = useFormat()
  const { configuration } = useUnit()
  const [text, setText] = useState(firstText)
  const area = useRef<HTMLTextAreaElement>(null)
  /** The rows whose checkbox the user changed. */
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const read = useDeferredValue(text)
  const { countriesList, currency, earliestBirthDate } = configuration
  const recognised = useMemo(
    () => recognise(read, { today: todayInUnit(), locale, countries: countriesList, currency, earliestBirthDate }),
    [read, locale, countriesList, currency, earliestBirthDate],
  )
  const [{ typed, noneTyped }] = useState(() => {
    const { people, trip = newTripForm(product) } = saleInProgress()
    return { typed: peopleForm(people, trip), noneTyped: peopleForm(undefined, { ...trip, ...withoutPeople }) }
  })
  const hasSecondLastName = usesSecondLastName(configuration.showSecondLastName)
  const others = othersTyped(recognised.people, typed, hasSecondLastName)
  const isAnew = others.length > 0 && isTicked('instead', true)
  const beside = isAnew ? noneTyped : typed
  const rows = fitting(recognised.found, product).map(field => {
    const [offered, dropped] = [isOffered(field, product), droppedBy(field, beside)]
    return { field, key: keyOf(field), isOffered: offered, dropped, isSure: field.isSure && dropped === 0 }
  })
  const parts = partsOf(recognised.people, beside, hasSecondLastName)
  const chosen = {
    fields: rows.filter(({ key, isOffered, isSure }) => isOffered && isTicked(key, isSure)).map(({ field }) => field),
    parts: parts.filter(part => isTicked(part.key, isPartTicked(part))),
    replaced: isAnew ? others : [],
  }
  const count = rows.length + parts.length
  const toggle = (key: string) => (checked: boolean) => setToggled(now => new Map(now).set(key, checked))
  function isTicked(key: string, byDefault: boolean): boolean {
    return toggled.get(key) ?? byDefault
  }
  /** Fills in the ticked values. Without any it focuses the first checkbox, or the empty text. */
  function fill() {
    if (chosen.fields.length + chosen.parts.length > 0) return onFill(chosenFrom(chosen))
    ;(firstTick(area.current) ?? area.current)?.focus()
  }
  // A text that came with the dialog is read already: its facts come next.
  useEffect(() => {
    if (firstText.trim()) firstTick(area.current)?.focus()
  }, [area, firstText])
  const ages = recognised.found.flatMap(({ field, value }) => (field === 'age' ? [number(value)] : []))

  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={words('paste.title')}
      description={
        <span className="flex items-start gap-2">
          <Icon name="lock" className="mt-1" /> {words('paste.privacy')}
        </span>
      }
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            {words('ui.cancel')}
          </Button>
          <Button icon="check" onClick={fill}>
            {words('paste.fill')}
          </Button>
        </>
      }
    >
      <TextArea
        label={words('paste.text')}
        hint={words('paste.hint')}
        ref={area}
        name="pasted"
        data-first
        rows={6}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={event => {
          setText(event.target.value)
          setToggled(new Map())
        }}
      />
      <p role="status" className="font-semibold empty:hidden">
        {read.trim() && (count > 0 ? words('paste.found', { count }) : words('paste.nothing'))}
      </p>
      {text.length > mostRead && <p role="status">{words('paste.cut', { count: mostRead })}</p>}
      {count > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its checkboxes take the keys
        <ul className="grid gap-2" onKeyDown={event => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && fill()}>
          {rows.map(({ field, key, isOffered, dropped, isSure }) => (
            <li key={key} className="grid rounded-lg border border-line px-3 py-1.5">
              <FieldRow
                field={field}
                text={recognised.text}
                isOffered={isOffered}
                dropped={dropped}
                checked={isOffered && isTicked(key, isSure)}
                onChange={toggle(key)}
              />
            </li>
          ))}
          {others.length > 0 && (
            <li className="grid rounded-lg border border-line px-3 py-1.5">
              <Checkbox
                name="instead"
                label={<Replaced names={others} />}
                hint={words('paste.instead_hint')}
                checked={isAnew}
                onChange={toggle('instead')}
              />
            </li>
          )}
          {parts.map(part => (
            <li key={part.key} className="grid rounded-lg border border-line px-3 py-1.5">
              <PersonRow part={part} text={recognised.text} checked={isTicked(part.key, isPartTicked(part))} onChange={toggle(part.key)} />
            </li>
          ))}
        </ul>
      )}
      {ages.length > 0 && <p className="text-sm text-quiet">{words('paste.ages', { ages: list(ages) })}</p>}
    </Dialog>
  )
}

const firstTick = (area: HTMLElement | null) =>
  area?.closest('dialog')?.querySelector<HTMLElement>('[type=checkbox]:not([aria-disabled=true])')

const isPartTicked = ({ isSure, typed }: PastedPart): boolean => isSure && typed.length === 0
