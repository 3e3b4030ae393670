import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFieldArray } from 'react-hook-form'
import { fullName } from '#common/kit/text.ts'
import { readAges } from '#common/kit/typed/travellers.ts'
import { writeAges } from '#common/kit/typed/written-ages.ts'
import { usesSecondLastName } from '#common/policies/people.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { logOnly } from '#portal/kit/log.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { later } from '#portal/kit/page/later.tsx'
import { useIsNarrow } from '#portal/kit/ui/narrow.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import type { Imported, TargetSettings } from '../import/target.ts'
import { emptyRow, namesAt, ownAddress, type PeopleForm, revalidateTravellers } from '../people-form.ts'
import { surnamesFor } from '../person/offered-surnames.ts'
import { useFunnel } from '../store.ts'
import { Sheet, type SheetHandle } from './sheet.tsx'
import { createSheetStore } from './sheet-store.ts'
import { TravellerCard } from './traveller-card.tsx'
import { useImportList, useUndoRemoval } from './use-import-list.ts'

const [ImportDialog] = later(async () => {
  const [{ ImportDialog }] = await Promise.all([import('../import/import-dialog.tsx'), loadMessages('people')])
  return ImportDialog
})

const CompanionsOffer = lazy(async () => {
  const [{ CompanionsOffer }] = await Promise.all([import('../known/companions-offer.tsx'), loadMessages('people')])
  return { default: CompanionsOffer }
})

type Props = {
  form: RulesForm<PeopleForm>
  minTravellers: number
  maxTravellers: number
  currency: string
  rate: TargetSettings['rate']
  /** The type of the policyholder, who may be the first traveller, and their country. */
  type: string
  residence: number
  birthDates: readonly { date: string }[]
}

/** The travellers: a row of a sheet each, or a card each on a phone. Their number is that of the trip. */
export function Travellers({ form, minTravellers, maxTravellers, currency, rate, type, residence, birthDates }: Props) {
  const { words } = useWords()
  const { configuration } = useUnit()
  const { fields, remove, append, insert, move, replace } = useFieldArray({ control: form.control, name: 'extraTravellers' })
  const [importing, setImporting] = useState<PeopleForm>()
  const [store] = useState(() => createSheetStore(form))
  // The rows are replaced, so the notes of a paste no longer apply.
  const importList = useImportList(form, rows => {
    store.setNotes(noNotes)
    replace(rows)
  })
  const offerUndo = useUndoRemoval()
  const isNarrow = useIsNarrow()
  const [opened, setOpened] = useState(0)
  const titleId = useId()
  useEffect(() => store.follow(), [store])
  const sheet = useRef<SheetHandle>(null)
  const add = useRef<HTMLButtonElement>(null)
  const count = fields.length + 1
  const isHolder = type === '1'
  const hasSecondLastName = usesSecondLastName(configuration.showSecondLastName)
  const { price } = rate()
  const settings: TargetSettings = { hasSecondLastName, maxTravellers, currency, rate }

  /** Focus moves to the next row, else to the last one. The undo puts the traveller back with their age, and focuses the row. */
  function removeAt(place: number, column?: string) {
    const row = { ...emptyRow, ...form.getValues('extraTravellers')[place - 1] }
    let age: number | null | undefined
    store.setNotes(noNotes)
    flushSync(() => {
      remove(place - 1)
      changeAges(ages => {
        age = ages.splice(place, 1)[0]
      })
    })
    offerUndo(fullName({ ...row, lastName: '' }) || words('funnel.extra.traveller', { place: place + 1 }), () => {
      const back = Math.min(place, form.getValues('extraTravellers').length + 1)
      flushSync(() => {
        insert(back - 1, row, { shouldFocus: false })
        changeAges(ages => ages.splice(back, 0, age ?? null))
      })
      setOpened(back)
      sheet.current?.focus(back)
    })
    if (sheet.current) sheet.current.focus(Math.min(place, count - 2), column)
    else add.current?.focus()
  }
  /** At the product's limit, a toast says so. */
  function addOne() {
    if (count >= maxTravellers) {
      const limits = { min: minTravellers, max: maxTravellers, given: count + 1 }
      return showToast({ severity: 'info', summary: words('refusal.quote.pax', limits) })
    }
    flushSync(() => append({ ...emptyRow }, { shouldFocus: false }))
    setOpened(count)
    sheet.current?.focus(count)
  }
  /** Focus moves with the row. The first traveller stays. */
  function moveBy(place: number, by: -1 | 1) {
    const to = place + by
    if (place < 1 || to < 1 || to >= count) return
    const column = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['column'] : undefined
    store.setNotes(noNotes)
    flushSync(() => {
      move(place - 1, to - 1)
      changeAges(ages => ages.splice(to, 0, ...ages.splice(place, 1)))
    })
    sheet.current?.focus(to, column)
  }
  async function paste(text: string, place: number, column: string) {
    const values = structuredClone(form.getValues())
    const [{ pastedInto }] = await Promise.all([import('../import/pasted-into.ts'), loadMessages('people')])
    const imported = pastedInto(values, { text, place, column }, hasSecondLastName, todayInUnit())
    // The dialog shows the problems of an unreadable list.
    if (!imported) return setImporting(values)
    flushSync(() => importList(imported))
    store.setNotes(imported.notes)
    sheet.current?.focus(place, column)
  }
  /** Focus moves to the first added traveller. On a phone the added ones stay closed. */
  function addKnown(imported: Imported, summary: string) {
    const before = form.getValues('extraTravellers')
    flushSync(() => importList(imported, summary))
    const added = imported.first.name ? 0 : imported.rows.findIndex((row, index) => row.name !== before[index]?.name) + 1
    if (sheet.current) sheet.current.focus(added)
    else add.current?.focus()
  }
  return (
    <section aria-labelledby={titleId} className="people-travellers rounded-lg border border-hair bg-sheet p-(--card) shadow-low">
      <h2 id={titleId} className="text-lg font-semibold">
        {words('funnel.travellers_count', { count })}
      </h2>
      <div>
        {isNarrow ? (
          <ol>
            {Array.from({ length: count }, (_, place) => (
              <TravellerCard
                key={place === 0 ? 'first' : fields[place - 1]?.id}
                form={form}
                store={store}
                place={place}
                isOpen={place === opened}
                address={place === 0 && isHolder ? ownAddress : undefined}
                residence={residence}
                onOpen={setOpened}
                onRemove={place === 0 ? undefined : removeAt}
              />
            ))}
          </ol>
        ) : (
          <Sheet
            ref={sheet}
            form={form}
            store={store}
            birthDates={birthDates}
            ids={fields.map(({ id }) => id)}
            isHolder={isHolder}
            residence={residence}
            premiums={price?.perTraveller}
            onRemove={removeAt}
            onMove={moveBy}
            onPaste={(text, place, column) => void paste(text, place, column).catch(logOnly('pasting travellers'))}
          />
        )}
      </div>
      <div className="flex flex-wrap gap-1">
        <Button look="plain" icon="clipboard" onClick={() => setImporting(structuredClone(form.getValues()))}>
          {words('funnel.extra.import')}
        </Button>
        {count > 1 && (
          <Button look="plain" icon="copy" onClick={() => fillSurnames(form)}>
            {words('funnel.extra.surnames')}
          </Button>
        )}
        <Button ref={add} look="plain" icon="plus" aria-disabled={count >= maxTravellers} onClick={addOne}>
          {words('funnel.extra.add')}
        </Button>
        {hasSecondLastName && !isNarrow && <p className="ml-auto content-center text-sm text-quiet">{words('funnel.lastName_none')}</p>}
      </div>
      <Suspense>
        <CompanionsOffer form={form} maxTravellers={maxTravellers} onOffer={store.setCompanions} onAdd={addKnown} />
      </Suspense>
      {importing && (
        <ImportDialog
          values={importing}
          settings={settings}
          onImport={imported => {
            setImporting(undefined)
            importList(imported)
          }}
          onClose={() => setImporting(undefined)}
        />
      )}
    </section>
  )
}

const noNotes = new Map<number, never>()

/** Fills the empty surnames of all rows with those that each is offered. */
function fillSurnames(form: RulesForm<PeopleForm>): void {
  const offers = form.getValues('extraTravellers').map((_, index) => surnamesFor({ form, traveller: index + 1 }))
  for (const [index, [first, second]] of offers.entries()) {
    const { middleName, lastName } = namesAt(index + 1)
    if (form.getValues(middleName) === '') form.setValue(middleName, first, { shouldDirty: true })
    if (form.getValues(lastName) === '') form.setValue(lastName, second, { shouldDirty: true })
  }
  revalidateTravellers(form)
}

/** Changes the ages of step 1 as rows of travellers are removed, put back or moved, so that everyone keeps their own. */
function changeAges(change: (ages: (number | null)[]) => unknown): void {
  const { trip } = useFunnel.getState()
  const ages = readAges(trip?.ages ?? '')
  if (!trip || !ages?.length) return
  const all = Array.from({ length: Math.max(ages.length, Number(trip.travelers)) }, (_, index) => ages[index] ?? null)
  change(all)
  useFunnel.setState({ trip: { ...trip, ages: writeAges(all) } })
}
