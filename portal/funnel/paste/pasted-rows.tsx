import { joinNames } from '#common/kit/text.ts'
import { writeAges } from '#common/kit/typed/written-ages.ts'
import type { PastedField } from '#common/quotes/paste/paste.ts'
import type { Span } from '#common/quotes/paste/text.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { PastedPart } from './fill-people.ts'

type RowProps = { text: string; checked: boolean; onChange: (checked: boolean) => void }

/** A field of step 1 that was read from the text. */
export function FieldRow({ field, isOffered, dropped, ...row }: RowProps & { field: PastedField; isOffered: boolean; dropped: number }) {
  const { words } = useWords()
  return (
    <Row
      {...row}
      name={keyOf(field)}
      at={field.at}
      label={useLabel(field)}
      value={useValue(field)}
      isDisabled={!isOffered}
      warnings={[
        ...(isOffered ? [] : [words('paste.not_offered')]),
        ...(field.isSure ? [] : [words('paste.doubtful')]),
        ...(dropped > 0 ? [words('paste.drops', { count: dropped })] : []),
      ]}
    />
  )
}

/** The ages of a text. Without a number of travellers that has room for them, they are doubtful. */
export function AgesRow({ ages, at, isSure, ...row }: RowProps & { ages: readonly number[]; at: Span; isSure: boolean }) {
  const { words } = useWords()
  return (
    <Row
      {...row}
      name={agesKey}
      at={at}
      label={words('paste.ages')}
      value={writeAges(ages)}
      warnings={isSure ? [] : [words('paste.doubtful')]}
    />
  )
}

export const agesKey = 'ages'

/** A person's name, or their other facts, for step 2. */
export function PersonRow({ part, ...row }: RowProps & { part: PastedPart }) {
  const { words } = useWords()
  const { list } = useFormat()
  const place = part.traveller + 1
  return (
    <Row
      {...row}
      name={part.key}
      at={part.at}
      label={words(part.part === 'name' ? 'paste.person_name' : 'paste.person_facts', { place })}
      value={usePersonValue(part)}
      warnings={[
        ...(part.isSure ? [] : [words('paste.doubtful')]),
        ...(part.typed.length > 0 ? [words('paste.typed', { values: list(part.typed) })] : []),
      ]}
    />
  )
}

export const keyOf = ({ field, at }: PastedField): string => `${field} ${at[0]}`

type Shown = {
  name: string
  label: string
  value: string
  at: Span
  warnings: readonly string[]
  isDisabled?: boolean
}

export const rowLook = 'grid rounded-lg border border-line px-3 pt-2 pb-1'

/** One line: the text with its marks stands beside. Screen readers hear the source with the fact. */
function Row({ text, name, label, value, at, warnings, isDisabled = false, checked, onChange }: RowProps & Shown) {
  const { words } = useWords()
  return (
    <li className={rowLook} data-fact={name}>
      <Checkbox
        name={name}
        checked={checked}
        disabled={isDisabled}
        onChange={onChange}
        label={
          <>
            {words('ui.form.field', { label })} <strong className="font-semibold">{value}</strong>
          </>
        }
        hint={
          <>
            {warnings.map(warning => (
              <span key={warning} className="block text-warning">
                {warning}
              </span>
            ))}
            <span className="sr-only">{text.slice(at[0], Math.min(at[1], at[0] + longestSource))}</span>
          </>
        }
      />
    </li>
  )
}

function useLabel({ field }: PastedField): string {
  const { words } = useWords()
  if (field === 'startDate') return words('funnel.startDate')
  if (field === 'endDate') return words('funnel.endDate')
  if (field === 'coverageScope') return words('funnel.coverageScope')
  if (field === 'mainDestination') return words('funnel.mainDestination')
  if (field === 'priceTravel') return words('funnel.priceTravel')
  if (field === 'reservationDate') return words('funnel.reservationDate')
  return words('funnel.travelers')
}

function useValue({ field, value }: PastedField): string {
  const { date, money, number } = useFormat()
  const { configuration } = useUnit()
  if (typeof value === 'string') return date(value)
  if (field === 'priceTravel') return money(value, configuration.currency)
  if (field === 'travelers') return number(value)
  return configuration.countriesList.find(({ id }) => id === value)?.name ?? String(value)
}

/** Returns the surnames before a comma, so that the user sees how the name was read. */
function usePersonValue({ part, value }: PastedPart): string {
  const { words } = useWords()
  const { date } = useFormat()
  const { name, middleName, lastName, birthDate, documentKind, docNumber, email, phone } = value
  if (part === 'name') return [joinNames(middleName, lastName), name].filter(Boolean).join(', ')
  const document = docNumber && words(documentKind === 'passport' ? 'paste.passport' : 'paste.document', { docNumber })
  return [birthDate && date(birthDate), document, email, phone].filter(Boolean).join(' · ')
}

const longestSource = 120
