import { type ComponentProps, memo, useId } from 'react'
import { ageOn, readDate } from '#common/kit/dates.ts'
import { needsDocument } from '#common/policies/people.ts'
import { ungrouped } from '#portal/kit/form/bound.tsx'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { peopleSettings } from '../guard.ts'
import { useKnownAs } from '../known/known-as.ts'
import { namesAt, type PeopleForm, type PersonNames } from '../people-form.ts'
import { ghostOf } from '../person/offered-surnames.ts'
import { DateCell, KindCell, TextCell } from './cells.tsx'
import { RowMessage, useNoteTexts, useRowTexts } from './row-message.tsx'
import { type SheetStore, useSheet } from './sheet-store.ts'

type Props = {
  form: RulesForm<PeopleForm>
  store: SheetStore
  /** The traveller's index, from 0. */
  place: number
  columns: Record<keyof PersonNames, string>
  hasSecondLastName: boolean
  /** The names of a national document and of its number. */
  national: string
  numberLabel: string
  /** The traveller's part of the price, and the age given in step 1. */
  premium: string | undefined
  given: number | null | undefined
  birthDate: string | undefined
  startDate: string | undefined
  onRemove: ((place: number) => void) | undefined
}

/** A traveller as a row of a sheet. It is rendered again only when its own problems, birth date or premium change. */
export const SheetRow = memo(function SheetRow(props: Props) {
  const { form, store, place, columns, hasSecondLastName, national, numberLabel, premium, given, birthDate, startDate, onRemove } = props
  const { words } = useWords()
  const id = useId()
  const names = namesAt(place)
  const problems = useSheet(store, () => store.problemsAt(place))
  const offer = useSheet(store, () => store.offerAt(place))
  const texts = useRowTexts(problems)
  const pasted = useNoteTexts(useSheet(store, () => store.notesAt(place)))
  const age = ageAt(birthDate, startDate)
  const isDocumentNeeded = needsDocument(birthDate, startDate ?? peopleSettings().today)
  const { knownAs, onLeave } = useKnownAs(form, names)
  const note = [...pasted, ageNote(), knownAs && words('funnel.known.as', { name: knownAs })].filter(Boolean).join(' ')
  function ageNote(): string | undefined {
    if (age !== undefined && typeof given === 'number' && age !== given) return words('funnel.age_differs', { age, given })
    return problems.documentNumber && age !== undefined && !isDocumentNeeded ? words('funnel.sheet.under_14') : undefined
  }
  const cell = (field: keyof PersonNames, label = columns[field]) => ({
    form,
    name: names[field],
    label: words('funnel.sheet.cell', { label, place: place + 1 }),
    wrong: problems[field] ? `${id}-wrong` : undefined,
  })
  const frame = (field: keyof PersonNames, look = '') => ({
    className: `people-cell ${look}`,
    'data-wrong': problems[field] ? '' : undefined,
  })
  const text = (field: keyof PersonNames, more: Partial<ComponentProps<typeof TextCell>> = {}, label?: string) => (
    <div {...frame(field)}>
      <TextCell required {...cell(field, label)} {...more} />
    </div>
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it hears of the fields inside that are left
    <div
      role="listitem"
      aria-label={words('funnel.extra.traveller', { place: place + 1 })}
      data-place={place}
      data-surnames={hasSecondLastName ? 2 : 1}
      onBlur={onLeave}
      className="people-row border-t border-hair"
    >
      <span aria-hidden="true" className="grid min-h-(--row) place-items-center bg-page text-sm text-faint">
        {place + 1}
      </span>
      {text('name', { ...offer?.suggestions.name, placeholder: offer?.companions ? `↓ ${offer.companions}` : '' })}
      {text('middleName', { ...offer?.suggestions.middleName, placeholder: ghostOf(offer?.surnames[0] ?? '') })}
      {hasSecondLastName && text('lastName', { placeholder: ghostOf(offer?.surnames[1] ?? '') })}
      <div {...frame('birthDate', 'flex items-center')}>
        <DateCell {...cell('birthDate')} also={names.documentNumber} />
        {age !== undefined && <span className="pr-2 text-sm text-faint">{age}</span>}
      </div>
      <div {...frame('documentKind', 'relative')}>
        <KindCell {...cell('documentKind')} also={names.documentNumber} national={national} />
        <Icon name="chevron-down" className="size-3.5 text-faint" />
      </div>
      {text(
        'documentNumber',
        {
          required: isDocumentNeeded,
          placeholder: isDocumentNeeded ? undefined : words('ui.optional'),
          spellCheck: false,
          tidy: ungrouped,
          ...offer?.suggestions.documentNumber,
        },
        numberLabel,
      )}
      <span className="hidden items-center justify-end px-2 text-sm text-quiet xl:flex">{premium}</span>
      {onRemove ? (
        <button
          type="button"
          // Tab leads to cells only, as a key typed on this button would remove a traveller.
          tabIndex={-1}
          aria-keyshortcuts="Alt+Delete"
          aria-label={words('funnel.extra.remove', { place: place + 1 })}
          title={words('funnel.extra.remove', { place: place + 1 })}
          onClick={() => onRemove(place)}
          className="grid place-items-center text-faint -outline-offset-2 hover:bg-sunken hover:text-ink"
        >
          <Icon name="x" className="size-3.5" />
        </button>
      ) : (
        <span />
      )}
      {(texts.length > 0 || note) && <RowMessage id={`${id}-wrong`} texts={texts} note={note} />}
    </div>
  )
})

/** Returns the age on the day of departure; undefined without a valid birth date. */
function ageAt(birthDate: unknown, startDate: string | undefined): number | undefined {
  const born = readDate(birthDate)
  const age = born && startDate ? ageOn(born, startDate) : undefined
  return age !== undefined && age >= 0 ? age : undefined
}
