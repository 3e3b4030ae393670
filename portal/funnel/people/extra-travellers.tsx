import { lazy, memo, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFieldArray } from 'react-hook-form'
import { usesSecondLastName } from '#common/policies/types.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { BoundDate, BoundText, ungrouped } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords, wordsOf } from '#portal/kit/words.tsx'
import { useKnownPerson } from '../known/use-known-person.ts'
import { emptyRow, isBlank, isNamed, judgeAgain, type PeopleForm } from '../people-form.ts'
import { useTakeList, useTakenBack } from './use-take-list.ts'

const shownAtOnce = 25

const ImportDialog = lazy(async () => {
  const [{ ImportDialog }] = await Promise.all([import('../import/import-dialog.tsx'), wordsOf('people')])
  return { default: ImportDialog }
})

type Props = { form: RulesForm<PeopleForm>; most: number }

/** Those who travel besides the first, a row each. The number of rows is that of the trip's travellers. */
export function ExtraTravellers({ form, most }: Props) {
  const { words } = useWords()
  const { configuration } = useUnit()
  const { fields, remove, append, insert, move, replace } = useFieldArray({ control: form.control, name: 'extraTravellers' })
  const [shown, setShown] = useState(shownAtOnce)
  const [importing, setImporting] = useState(false)
  const take = useTakeList(form, replace)
  const offerBack = useTakenBack()
  const count = fields.length
  const rows = () => form.getValues('extraTravellers')
  const list = useRef<HTMLOListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  /** The focus stays: with whoever took the place, else with the last, else where one is added. */
  function removeAt(place: number) {
    const row = { ...emptyRow, ...rows()[place] }
    flushSync(() => remove(place))
    if (!isBlank(row)) offerBack(() => insert(place, row, { shouldFocus: false }))
    const others = list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? []
    const next = others[Math.min(place, others.length - 1)] ?? add.current
    next?.focus()
  }
  /** The button goes with its row, and is none any more at the first or last place: then the other one has the focus. */
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
          <Button look="quiet" icon="upload" onClick={() => setImporting(true)}>
            {words('funnel.extra.import')}
          </Button>
          <Button ref={add} look="quiet" icon="plus" disabled={count + 1 >= most} onClick={() => append({ ...emptyRow })}>
            {words('funnel.extra.add')}
          </Button>
        </div>
      }
    >
      {count === 0 && <p className="text-quiet">{words('funnel.extra.none')}</p>}
      <ol ref={list} className="grid gap-(--gap)">
        {fields.slice(0, shown).map((field, place) => (
          <TravellerRow
            key={field.id}
            form={form}
            place={place}
            last={place === count - 1}
            onRemove={() => removeAt(place)}
            onUp={() => moveTo(place, place - 1)}
            onDown={() => moveTo(place, place + 1)}
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
            typed={{ named: rows().filter(isNamed).length, any: rows().filter(row => !isBlank(row)).length }}
            most={most}
            onImport={(list, mode) => {
              setImporting(false)
              take(list, mode)
            }}
            onClose={() => setImporting(false)}
          />
        </Suspense>
      )}
    </Card>
  )
}

/** What the first traveller is called, for those of whom nothing is typed yet. */
function copySurnames(form: RulesForm<PeopleForm>): void {
  const { middleName, lastName, extraTravellers } = form.getValues()
  extraTravellers.forEach((row, place) => {
    if (row.middleName === '') form.setValue(`extraTravellers.${place}.middleName`, middleName, { shouldDirty: true })
    if (row.lastName === '') form.setValue(`extraTravellers.${place}.lastName`, lastName, { shouldDirty: true })
  })
  judgeAgain(form)
}

type RowProps = { form: RulesForm<PeopleForm>; place: number; last: boolean; onRemove: () => void; onUp: () => void; onDown: () => void }

const TravellerRow = memo(
  function TravellerRow({ form, place, last, onRemove, onUp, onDown }: RowProps) {
    const { words } = useWords()
    const { configuration } = useUnit()
    const today = todayInUnit()
    const second = usesSecondLastName(configuration.showSecondLastName)
    const path = (name: string) => `extraTravellers.${place}.${name}`
    const names = {
      name: path('name'),
      middleName: path('middleName'),
      lastName: path('lastName'),
      birthDate: path('birthDate'),
      documentNumber: path('docNumber'),
    }
    const known = useKnownPerson(form, names)
    const field = (name: string) => ({ name: path(name), required: true, autoComplete: 'off' })
    const named = words('funnel.extra.traveller', { place: place + 2 })
    return (
      <li
        aria-label={named}
        className="@container grid gap-2 border-t border-line pt-(--gap) [content-visibility:auto] first:border-0 first:pt-0"
      >
        <div className="flex items-center gap-1">
          <p className="flex-1 text-sm font-medium">{named}</p>
          <IconButton data-move icon="chevron-up" label={words('funnel.extra.up')} disabled={place === 0} onClick={onUp} />
          <IconButton data-move icon="chevron-down" label={words('funnel.extra.down')} disabled={last} onClick={onDown} />
          <IconButton data-remove icon="trash" label={words('funnel.extra.remove', { place: place + 2 })} onClick={onRemove} />
        </div>
        <div className={`grid gap-2 @sm:grid-cols-2 ${second ? '@3xl:grid-cols-5' : '@2xl:grid-cols-4'}`}>
          <BoundText label={words('funnel.name')} {...field('name')} {...known.name} />
          <BoundText label={words(second ? 'funnel.middleName' : 'funnel.surname')} {...field('middleName')} {...known.middleName} />
          {second && <BoundText label={words('funnel.lastName')} {...field('lastName')} />}
          <BoundDate label={words('funnel.birthDate')} {...field('birthDate')} today={today} min="1945-01-01" max={today} />
          <BoundText
            label={words('funnel.documentNumber')}
            {...field('docNumber')}
            spellCheck={false}
            tidy={ungrouped}
            {...known.documentNumber}
          />
          {known.list}
        </div>
      </li>
    )
  },
  (before, after) => before.place === after.place && before.last === after.last,
)
