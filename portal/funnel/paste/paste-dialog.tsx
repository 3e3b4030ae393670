import { useDeferredValue, useMemo, useState } from 'react'
import { type PastedField, recognise, type Recognised } from '#common/quotes/paste/paste.ts'
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
import { fitting, isOffered } from './fill.ts'

type Props = { product: Product; onFill: (chosen: PastedField[]) => void; onClose: () => void }

/** Lists the fields read from a pasted text, each with its source. The text is lost when the dialog closes. */
export function PasteDialog({ product, onFill, onClose }: Props) {
  const { words, locale } = useWords()
  const { list, number } = useFormat()
  const { configuration } = useUnit()
  const [text, setText] = useState('')
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const read = useDeferredValue(text)
  const { countriesList, currency } = configuration
  const recognised = useMemo(
    () => recognise(read, { today: todayInUnit(), locale, countries: countriesList, currency }),
    [read, locale, countriesList, currency],
  )
  const rows = fitting(recognised.found, product).map(field => ({ field, key: keyOf(field), isOffered: isOffered(field, product) }))
  const chosen = rows.filter(({ key, isOffered }) => isOffered && !without.has(key)).map(({ field }) => field)
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
          <Button icon="check" disabled={chosen.length === 0} onClick={() => onFill(chosen)}>
            {words('paste.fill')}
          </Button>
        </>
      }
    >
      <TextArea
        label={words('paste.text')}
        hint={words('paste.hint')}
        name="pasted"
        data-first
        rows={6}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={event => {
          setText(event.target.value)
          setWithout(new Set())
        }}
      />
      <p role="status" className="font-semibold empty:hidden">
        {read.trim() && (rows.length > 0 ? words('paste.found', { count: rows.length }) : words('paste.nothing'))}
      </p>
      {rows.length > 0 && (
        <ul className="grid gap-2">
          {rows.map(({ field, key, isOffered }, index) => (
            <li key={key} className="grid rounded-lg border border-line px-3 py-1.5">
              <Row
                field={field}
                birthIndex={rows.slice(0, index + 1).filter(row => row.field.field === 'birthDate').length}
                recognised={recognised}
                isOffered={isOffered}
                checked={isOffered && !without.has(key)}
                onChange={checked => setWithout(now => new Set(checked ? [...now].filter(each => each !== key) : [...now, key]))}
              />
            </li>
          ))}
        </ul>
      )}
      {ages.length > 0 && <p className="text-sm text-quiet">{words('paste.ages', { ages: list(ages) })}</p>}
    </Dialog>
  )
}

const keyOf = ({ field, at }: PastedField): string => `${field} ${at[0]}`

type RowProps = {
  field: PastedField
  birthIndex: number
  recognised: Recognised
  isOffered: boolean
  checked: boolean
  onChange: (checked: boolean) => void
}

function Row({ field, birthIndex, recognised, isOffered, checked, onChange }: RowProps) {
  const { words } = useWords()
  const label = useLabel(field, birthIndex)
  const value = useValue(field)
  return (
    <Checkbox
      name={keyOf(field)}
      checked={checked}
      disabled={!isOffered}
      onChange={onChange}
      label={
        <>
          {label}: <strong className="font-semibold">{value}</strong>
        </>
      }
      hint={
        <>
          {!isOffered && <span className="block text-warning">{words('paste.not_offered')}</span>}
          <Excerpt text={recognised.text} at={field.at} />
        </>
      }
    />
  )
}

function useLabel({ field }: PastedField, birthIndex: number): string {
  const { words } = useWords()
  if (field === 'startDate') return words('funnel.startDate')
  if (field === 'endDate') return words('funnel.endDate')
  if (field === 'coverageScope') return words('funnel.coverageScope')
  if (field === 'mainDestination') return words('funnel.mainDestination')
  if (field === 'travelers') return words('funnel.travelers')
  if (field === 'priceTravel') return words('funnel.priceTravel')
  if (field === 'reservationDate') return words('funnel.reservationDate')
  return words('funnel.age_of', { place: birthIndex })
}

function useValue({ field, value }: PastedField): string {
  const { date, money, number } = useFormat()
  const { configuration } = useUnit()
  if (typeof value === 'string') return date(value)
  if (field === 'priceTravel') return money(value, configuration.currency)
  if (field === 'travelers') return number(value)
  return configuration.countriesList.find(({ id }) => id === value)?.name ?? String(value)
}

const contextLength = 40

/** Shows the words that a field was read from, with a little of their line around them. */
function Excerpt({ text, at: [from, to] }: { text: string; at: readonly [number, number] }) {
  const line = { before: text.slice(0, from).split('\n').at(-1)?.trimStart() ?? '', after: text.slice(to).split('\n')[0]?.trimEnd() ?? '' }
  const source = text.slice(from, to)
  return (
    <span className="break-words">
      {line.before.length > contextLength ? `…${line.before.slice(-contextLength)}` : line.before}
      <mark className="rounded-sm bg-info-soft px-0.5 text-info">{cut(source, 3 * contextLength)}</mark>
      {cut(line.after, contextLength)}
    </span>
  )
}

const cut = (text: string, maxLength: number): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
