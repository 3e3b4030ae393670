import { lazy, memo, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFieldArray } from 'react-hook-form'
import { peopleOf } from '#common/policies/step2.ts'
import { usesSecondLastName } from '#common/policies/types.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { BoundDate, BoundText } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords, loadMessages } from '#portal/kit/words.tsx'
import { usePersonSuggestions } from '../known/use-person-suggestions.ts'
import { emptyRow, isBlank, isNamed, type PeopleForm, revalidateTravellers, type Row, step2Of } from '../people-form.ts'
import { DocumentFields } from './document-fields.tsx'
import { useImportList, useUndoRemoval } from './use-import-list.ts'

const shownAtOnce = 25

const ImportDialog = lazy(async () => {
  const [{ ImportDialog }] = await Promise.all([import('../import/import-dialog.tsx'), loadMessages('people')])
  return { default: ImportDialog }
})

type Props = { form: RulesForm<PeopleForm>; maxTravellers: number }

/** The travellers after the first one, a row each. The number of rows follows the trip's travellers. */
export function ExtraTravellers({ form, maxTravellers }: Props) {
  const { words } = useWords()
  const { configuration } = useUnit()
  const { fields, remove, append, insert, move, replace } = useFieldArray({ control: form.control, name: 'extraTravellers' })
  const [shown, setShown] = useState(shownAtOnce)
  const [importing, setImporting] = useState(false)
  const [peopleTyped, setPeopleTyped] = useState<ReturnType<typeof peopleIn>>({ own: [], rows: [] })
  const importList = useImportList(form, replace)
  const offerUndo = useUndoRemoval()
  const count = fields.length
  const rows = () => form.getValues('extraTravellers')
  const list = useRef<HTMLOListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  function openImport() {
    setPeopleTyped(peopleIn(form))
    setImporting(true)
  }
  /** Focus moves to the next row, else to the last one, else to the button that adds one. */
  function removeAt(index: number) {
    const row = { ...emptyRow, ...rows()[index] }
    flushSync(() => remove(index))
    if (!isBlank(row)) offerUndo(() => insert(index, row, { shouldFocus: false }))
    const others = list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? []
    const next = others[Math.min(index, others.length - 1)] ?? add.current
    next?.focus()
  }
  /** Focus moves with the row. In the first or last row the button is disabled, and focus goes to the other one. */
  function moveTo(from: number, to: number) {
    flushSync(() => move(from, to))
    const [up, down] = list.current?.children[to]?.querySelectorAll<HTMLButtonElement>('[data-move]') ?? []
    if (up?.disabled && to < from) down?.focus()
    if (down?.disabled && to > from) up?.focus()
  }
  return (
    <Card
      title={words('funnel.extra.title', { count })}
      actions={
        <div className="flex flex-wrap gap-2">
          {count > 0 && (
            <Button look="quiet" icon="copy" onClick={() => copySurnames(form)}>
              {words('funnel.extra.copy_surname')}
            </Button>
          )}
          <Button look="quiet" icon="upload" onClick={openImport}>
            {words('funnel.extra.import')}
          </Button>
          <Button ref={add} look="quiet" icon="plus" disabled={count + 1 >= maxTravellers} onClick={() => append({ ...emptyRow })}>
            {words('funnel.extra.add')}
          </Button>
        </div>
      }
    >
      {count === 0 && <p className="text-quiet">{words('funnel.extra.none')}</p>}
      <ol ref={list} className="grid gap-(--gap)">
        {fields.slice(0, shown).map((field, index) => (
          <TravellerRow
            key={field.id}
            form={form}
            index={index}
            isLast={index === count - 1}
            onRemove={() => removeAt(index)}
            onUp={() => moveTo(index, index - 1)}
            onDown={() => moveTo(index, index + 1)}
          />
        ))}
      </ol>
      {count > shown && (
        <Button look="quiet" onClick={() => setShown(shown + 50)}>
          {words('funnel.extra.more', { count: count - shown })}
        </Button>
      )}
      {importing && (
        <Suspense>
          <ImportDialog
            hasSecondLastName={usesSecondLastName(configuration.showSecondLastName)}
            typedRows={{ named: rows().filter(isNamed).length, any: rows().filter(row => !isBlank(row)).length }}
            maxTravellers={maxTravellers}
            people={peopleTyped}
            onImport={(list, mode) => {
              setImporting(false)
              importList(list, mode)
            }}
            onClose={() => setImporting(false)}
          />
        </Suspense>
      )}
    </Card>
  )
}

/** Returns the people of the form as calls send them, apart from the rows that an import may replace. */
function peopleIn(form: RulesForm<PeopleForm>) {
  const values = form.getValues()
  const rows = values.extraTravellers.length
  const { users } = peopleOf(step2Of(values), rows + 1)
  return { own: users.slice(0, users.length - rows).filter(({ companyName }) => !companyName), rows: users.slice(users.length - rows) }
}

/** Copies the first traveller's surnames to the rows where they are empty. */
function copySurnames(form: RulesForm<PeopleForm>): void {
  const { middleName, lastName, extraTravellers } = form.getValues()
  extraTravellers.forEach((row, index) => {
    if (row.middleName === '') form.setValue(`extraTravellers.${index}.middleName`, middleName, { shouldDirty: true })
    if (row.lastName === '') form.setValue(`extraTravellers.${index}.lastName`, lastName, { shouldDirty: true })
  })
  revalidateTravellers(form)
}

type RowProps = { form: RulesForm<PeopleForm>; index: number; isLast: boolean; onRemove: () => void; onUp: () => void; onDown: () => void }

const TravellerRow = memo(
  function TravellerRow({ form, index, isLast, onRemove, onUp, onDown }: RowProps) {
    const { words } = useWords()
    const { configuration } = useUnit()
    const today = todayInUnit()
    const hasSecondLastName = usesSecondLastName(configuration.showSecondLastName)
    const path = (name: keyof Row) => `extraTravellers.${index}.${name}` as const
    const names = {
      name: path('name'),
      middleName: path('middleName'),
      lastName: path('lastName'),
      birthDate: path('birthDate'),
      documentNumber: path('docNumber'),
      documentKind: path('documentKind'),
    }
    const suggestions = usePersonSuggestions(form, names)
    const field = (name: keyof Row) => ({ name: path(name), required: true, autoComplete: 'off' })
    const title = words('funnel.extra.traveller', { place: index + 2 })
    return (
      <li
        aria-label={title}
        className="@container grid gap-2 border-t border-line pt-(--gap) [content-visibility:auto] first:border-0 first:pt-0"
      >
        <div className="flex items-center gap-1">
          <p className="flex-1 text-sm font-medium">{title}</p>
          <IconButton data-move icon="chevron-up" label={words('funnel.extra.up')} disabled={index === 0} onClick={onUp} />
          <IconButton data-move icon="chevron-down" label={words('funnel.extra.down')} disabled={isLast} onClick={onDown} />
          <IconButton data-remove icon="trash" label={words('funnel.extra.remove', { place: index + 2 })} onClick={onRemove} />
        </div>
        <div className={`grid gap-2 @sm:grid-cols-2 ${hasSecondLastName ? '@3xl:grid-cols-5' : '@2xl:grid-cols-4'}`}>
          <BoundText label={words('funnel.name')} {...field('name')} {...suggestions.name} />
          <BoundText
            label={words(hasSecondLastName ? 'funnel.middleName' : 'funnel.surname')}
            {...field('middleName')}
            {...suggestions.middleName}
          />
          {hasSecondLastName && <BoundText label={words('funnel.lastName')} {...field('lastName')} />}
          <BoundDate
            label={words('funnel.birthDate')}
            {...field('birthDate')}
            also={[names.documentNumber]}
            today={today}
            min={configuration.earliestBirthDate}
            max={today}
          />
          <DocumentFields names={names} suggestions={suggestions.documentNumber} />
          {suggestions.list}
        </div>
      </li>
    )
  },
  (before, after) => before.index === after.index && before.isLast === after.isLast,
)
