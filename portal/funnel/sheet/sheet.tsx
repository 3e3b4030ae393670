import {
  type ClipboardEvent,
  type Ref,
  startTransition,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { readDate } from '#common/kit/dates.ts'
import { intlTag } from '#common/kit/locales.ts'
import { readAges } from '#common/kit/typed/travellers.ts'
import { localeOfCountry } from '#common/kit/validators/contacts.ts'
import { countryOf } from '#common/kit/validators/rule.ts'
import { usesSecondLastName } from '#common/policies/people.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { KeyHints } from '#portal/kit/page/key-hints.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { usePersonSuggestions } from '../known/use-suggestions.tsx'
import { namesAt, ownAddress, type PeopleForm } from '../people-form.ts'
import { useFunnel } from '../store.ts'
import { surnamesFor, takeSurnames } from '../person/offered-surnames.ts'
import { useColumnNames } from './row-message.tsx'
import { type SheetStore, useSheet } from './sheet-store.ts'
import { SheetRow } from './sheet-row.tsx'
import { cellAt, cellOf, useSheetKeys } from './use-sheet-keys.ts'

/** The number of rows rendered at once. The others follow while the first can be edited. */
const drawnAtOnce = 30
/** The browser skips whole blocks of rows that are off the screen (people.css). */
const rowsInBlock = 10

export type SheetHandle = { focus: (place: number, column?: string) => void }

type Props = {
  form: RulesForm<PeopleForm>
  store: SheetStore
  birthDates: readonly { date: string }[]
  /** The keys of the rows after the first traveller. */
  ids: readonly string[]
  /** True if the first traveller is the policyholder. */
  isHolder: boolean
  /** The policyholder's country, whose name for an identity document all rows have. */
  residence: number
  /** The travellers' parts of the price, in cents. */
  premiums: readonly { premium: number }[] | undefined
  onRemove: (place: number, column?: string) => void
  onMove: (place: number, by: -1 | 1) => void
  /** Receives the cells of a spreadsheet that are pasted into a field. */
  onPaste: (text: string, place: number, column: string) => void
  ref: Ref<SheetHandle>
}

/** The travellers as a sheet with a row each. */
export function Sheet({ form, store, birthDates, ids, isHolder, residence, premiums, onRemove, onMove, onPaste, ref }: Props) {
  const { words, locale } = useWords()
  const { configuration } = useUnit()
  const hasSecondLastName = usesSecondLastName(configuration.showSecondLastName)
  const columns = useColumnNames()
  const list = useRef<HTMLDivElement>(null)
  const keys = useSheetKeys(form, onMove, onRemove)
  const startDate = useFunnel(({ trip }) => readDate(trip?.startDate))
  const ages = useFunnel(({ trip }) => trip?.ages ?? '')
  const given = readAges(ages)
  const count = ids.length + 1
  const shares = useMemo(() => {
    const amount = new Intl.NumberFormat(intlTag(locale), { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    return premiums?.map(({ premium }) => amount.format(premium / 100))
  }, [premiums, locale])
  const [drawn, setDrawn] = useState(drawnAtOnce)
  useEffect(() => {
    if (drawn < count) startTransition(() => setDrawn(drawn + rowsInBlock))
  }, [drawn, count])
  const home = localeOfCountry(residence)
  const named = { country: home ? countryOf(home) : '' }
  // A function that never changes, so that no row is rendered again for it.
  const latest = useRef(onRemove)
  useEffect(() => {
    latest.current = onRemove
  }, [onRemove])
  const remove = useCallback((place: number) => latest.current(place), [])
  useImperativeHandle(ref, () => ({
    focus: (place, column = 'name') => list.current && cellAt(list.current, place, column)?.focus(),
  }))
  function paste(event: ClipboardEvent) {
    const cell = cellOf(event.target)
    const text = event.clipboardData.getData('text/plain')
    if (!cell || !/[\t\n]/.test(text.trimEnd())) return
    event.preventDefault()
    onPaste(text, cell.place, cell.column)
  }
  const head = 'px-2 py-1.5 max-xl:leading-4 xl:truncate'
  return (
    <div className="overflow-clip rounded-lg border border-line">
      <div aria-hidden="true" data-surnames={hasSecondLastName ? 2 : 1} className="people-row bg-page text-sm text-faint">
        <span />
        <span className={head}>{columns.name}</span>
        <span className={head}>{columns.middleName}</span>
        {hasSecondLastName && <span className={head}>{columns.lastName}</span>}
        <span className={head}>{words('funnel.sheet.born')}</span>
        <span className={head}>{words('funnel.sheet.document')}</span>
        <span className={head}>{columns.documentNumber}</span>
        <span className={`${head} hidden text-right xl:block`}>{premiums && words('funnel.sheet.premium')}</span>
        <span />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the events are those of its fields */}
      <div
        role="list"
        ref={list}
        onFocus={event => {
          keys.onFocus(event)
          const cell = cellOf(event.target)
          if (!cell) return
          store.focus(cell.place, surnamesFor({ form, traveller: cell.place }))
        }}
        onKeyDown={event => {
          const cell = cellOf(event.target)
          if (!cell || cell.element.value !== '' || event.key !== 'ArrowDown' || event.altKey) return keys.onKeyDown(event)
          const companions = cell.column === 'name' ? store.companions() : undefined
          const [first, second] = store.surnames()
          const isOffered = (cell.column === 'middleName' && first !== '') || (cell.column === 'lastName' && second !== '')
          if (!companions && !isOffered) return keys.onKeyDown(event)
          event.preventDefault()
          if (companions) companions.add()
          else takeSurnames({ form, names: namesAt(cell.place), traveller: cell.place })
        }}
        onPaste={paste}
        onInput={event => {
          const cell = cellOf(event.target)
          if (cell) store.dropNotes(cell.place)
        }}
      >
        {blocksOf(Math.min(count, drawn)).map(places => (
          <div key={places[0]} role="presentation" className="people-block">
            {places.map(place => (
              <SheetRow
                key={place === 0 ? 'first' : ids[place - 1]}
                form={form}
                store={store}
                place={place}
                columns={columns}
                hasSecondLastName={hasSecondLastName}
                national={words('funnel.documentKind.national_in', named)}
                numberLabel={words('funnel.documentNumber_in', named)}
                birthDate={birthDates[place]?.date}
                premium={shares?.[place]}
                given={given?.[place]}
                startDate={startDate}
                onRemove={place === 0 ? undefined : remove}
              />
            ))}
          </div>
        ))}
      </div>
      <Offers form={form} store={store} isHolder={isHolder} />
    </div>
  )
}

/** Returns the indexes of the rows, from 0, in blocks. */
const blocksOf = (rows: number): number[][] =>
  Array.from({ length: Math.ceil(rows / rowsInBlock) }, (_, block) =>
    Array.from({ length: Math.min(rowsInBlock, rows - block * rowsInBlock) }, (_, row) => block * rowsInBlock + row),
  )

/** Suggests people for the focused row. It is rendered at each key, separately from the rows. */
function Offers({ form, store, isHolder }: { form: RulesForm<PeopleForm>; store: SheetStore; isHolder: boolean }) {
  const active = useSheet(store, store.active)
  const surnames = useSheet(store, store.surnames)
  const suggestions = usePersonSuggestions(form, namesAt(active), isHolder && active === 0 ? ownAddress : undefined)
  const companions = useSheet(store, store.companions)?.names ?? ''
  useLayoutEffect(() => store.offer({ suggestions, surnames, companions }))
  return suggestions.list
}

/** A legend of the sheet's keys. A phone has cards instead. */
export function SheetKeys() {
  const { words } = useWords()
  return (
    <KeyHints
      place="sheet"
      className="people-keys max-md:hidden"
      hints={[
        { keys: ['Tab'], label: words('funnel.sheet.key.next_cell') },
        { keys: ['Enter'], label: words('funnel.sheet.key.next_row') },
        { keys: ['Control+V'], label: words('funnel.sheet.key.paste') },
        { keys: ['Control+D'], label: words('funnel.sheet.key.copy') },
        { keys: ['Alt+↑+↓'], label: words('funnel.sheet.key.move') },
        { keys: [`Alt+${words('ui.key_delete')}`], label: words('funnel.sheet.key.remove') },
      ]}
    />
  )
}
