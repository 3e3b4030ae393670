import { memo, useMemo, useRef } from 'react'
import type { Problem } from '#common/kit/problems.ts'
import type { ImportedRow } from '#common/policies/import/cells.ts'
import { fieldsOf } from '#common/policies/import/columns.ts'
import { duplicateRowProblems, extraTravellerProblems, policyholderRowProblems } from '#common/policies/step2-rows.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { RadioCards } from '#portal/kit/field/radio-cards.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { peopleSettings } from '../guard.ts'
import { isBlank } from '../people-form.ts'
import { type Change, type Draft, type ImportMode, type Item, withColumn, withFirstRow, withHeader } from './draft.ts'
import { fieldLabel } from './labels.ts'
import { cellRows, PreviewRow } from './preview-row.tsx'
import { birthDatesAfter, firstCandidate, replacedBy, type Target } from './target.ts'

type Props = {
  draft: Draft
  target: Target
  mode: ImportMode
  onMode: (mode: ImportMode) => void
  onChange: Change
  onBack: () => void
  onClose: () => void
  onImport: () => void
}

/** Previews the list before its import, with each problem at its field. */
export function Preview({ draft, target, mode, onMode, onChange, onBack, onClose, onImport }: Props) {
  const { words } = useWords()
  const list = useRef<HTMLOListElement>(null)
  const { items, firstRow } = draft
  const { hasSecondLastName, maxTravellers } = target
  const typedRows = target.rows.filter(row => !isBlank(row)).length
  const problems = useProblems(draft, target, mode)
  const problemCount = [...problems.values()].reduce((sum, { length }) => sum + length, 0)
  const birthDates = useMemo(() => birthDatesAfter(draft, target, mode), [draft, target, mode])
  const travellers = birthDates.length
  const tooMany = travellers > maxTravellers
  const focusProblem = () => list.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  function importList() {
    if (problemCount > 0) return focusProblem()
    if (!tooMany && items.length > 0) onImport()
  }
  return (
    <Dialog
      open
      size="large"
      onClose={onClose}
      title={words('people.import.preview')}
      actions={
        <>
          <Button look="quiet" onClick={onBack}>
            {words('people.import.other')}
          </Button>
          <Button aria-disabled={items.length === 0 || tooMany || undefined} onClick={importList}>
            {words('people.import.take', { count: items.length })}
          </Button>
        </>
      }
    >
      <div role="status" className="grid gap-2">
        <p>{words('people.import.found', { count: items.length })}</p>
        {problemCount > 0 && (
          <Callout tone="warning" title={words('people.import.faults', { count: problemCount })}>
            <button type="button" onClick={focusProblem} className="underline underline-offset-2 pointer-coarse:min-h-11">
              {words('people.import.to_fault')}
            </button>
          </Callout>
        )}
        {tooMany && <Callout tone="danger" title={words('people.import.too_many', { travellers, most: maxTravellers })} />}
        {!draft.byName && draft.hasHeader && <Callout tone="info" title={words('people.import.by_order')} />}
      </div>
      <FirstRow draft={draft} target={target} onChange={onChange} />
      <div role="status" className="empty:hidden">
        {items.length > 0 && !tooMany && <CountNotice birthDates={birthDates} target={target} />}
      </div>
      <ColumnChoices draft={draft} hasSecondLastName={hasSecondLastName} onChange={onChange} />
      {typedRows > 0 && (
        <RadioCards<ImportMode>
          label={words('people.import.how', { count: typedRows })}
          name="importHow"
          value={mode}
          onChange={onMode}
          options={[
            { value: 'after', label: words('people.import.after') },
            { value: 'instead', label: words('people.import.instead') },
          ]}
        />
      )}
      <ol ref={list} className="grid gap-3" aria-label={words('people.import.preview')}>
        {items.map((item, index) => (
          <PreviewRow
            key={item.key}
            item={item}
            index={index}
            hasSecondLastName={hasSecondLastName}
            problems={problems.get(item) ?? none}
            role={item.sourceRow === firstRow ? target.role : undefined}
            onChange={onChange}
          />
        ))}
      </ol>
    </Dialog>
  )
}

const none: Problem[] = []

/** A list of names and birth dates has no documents, which the sheet asks for. */
const isMissingDocument = ({ path, rule }: Problem): boolean =>
  path === 'docNumber' && (rule === 'required' || rule === 'requiredIfAgeOver14')

const problemCache = new WeakMap<ImportedRow, Problem[]>()

/** Returns the problems of each row by the rules of the form. An unchanged row is not validated again. */
function useProblems({ items, firstRow }: Draft, { role, residence, users }: Target, mode: ImportMode): Map<Item, Problem[]> {
  return useMemo(() => {
    const settings = peopleSettings()
    const stay = [...users.others, ...(firstRow === undefined ? users.first : []), ...(mode === 'after' ? users.rows : [])]
    const duplicates = duplicateRowProblems(
      items.map(({ row }) => row),
      stay,
    )
    return new Map(
      items.map((item, index) => {
        const isHolder = item.sourceRow === firstRow && role === 'policyholder'
        const problems = isHolder
          ? policyholderRowProblems(item.row, settings, residence)
          : (problemCache.get(item.row) ?? extraTravellerProblems(item.row, settings, residence))
        if (!isHolder) problemCache.set(item.row, problems)
        return [item, [...problems.filter(problem => !isMissingDocument(problem)), ...(duplicates[index] ?? none)]]
      }),
    )
  }, [items, firstRow, role, residence, users, mode])
}

/** Chooses the column of each field, to correct unrecognised ones. */
const ColumnChoices = memo(function ColumnChoices({
  draft,
  hasSecondLastName,
  onChange,
}: {
  draft: Draft
  hasSecondLastName: boolean
  onChange: Change
}) {
  const { words } = useWords()
  const header = draft.table[0] ?? []
  const { name, middleName, lastName } = draft.columns
  const isShared = middleName >= 0 && (middleName === name || (hasSecondLastName && middleName === lastName))
  const options = [
    { value: '-1', label: words('people.import.no_column') },
    ...header.map((name, index) => ({
      value: String(index),
      label: draft.hasHeader && name ? name : words('people.import.column', { place: index + 1 }),
    })),
  ]
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm text-quiet">{words('people.import.columns')}</legend>
      <div className={`grid gap-2 sm:grid-cols-3 ${hasSecondLastName ? 'lg:grid-cols-6' : 'lg:grid-cols-5'}`}>
        {fieldsOf(hasSecondLastName).map(field => (
          <Select
            key={field}
            className={cellRows}
            label={fieldLabel(field, hasSecondLastName, words)}
            name={`column.${field}`}
            value={String(draft.columns[field])}
            options={options}
            onChange={value => onChange(draft => draft && withColumn(draft, field, Number(value)))}
          />
        ))}
      </div>
      {isShared && <p className="text-sm text-quiet">{words('people.import.shared')}</p>}
      <Checkbox
        label={words('people.import.header')}
        name="hasHeader"
        checked={draft.hasHeader}
        onChange={checked => onChange(draft => draft && withHeader(draft, checked))}
      />
    </fieldset>
  )
})

/** Says if a row of the list is the form's first traveller, and which typed values it would replace. */
function FirstRow({ draft, target, onChange }: { draft: Draft; target: Target; onChange: Change }) {
  const { words } = useWords()
  const { list } = useFormat()
  const candidate = firstCandidate(draft, target)
  if (!candidate) return null
  const isFirst = draft.firstRow !== undefined
  const replaced = isFirst ? replacedBy(candidate.row, target) : []
  return (
    <div className="grid gap-2">
      <Checkbox
        label={words('people.import.first_row', { role: target.role, place: draft.items.indexOf(candidate) + 1 })}
        hint={words('people.import.first_row_hint')}
        name="firstRow"
        checked={isFirst}
        onChange={checked => onChange(draft => draft && withFirstRow(draft, checked ? candidate.sourceRow : undefined))}
      />
      <div role="status" className="empty:hidden">
        {replaced.length > 0 && <Callout tone="warning" title={words('people.import.replaces', { values: list(replaced) })} />}
      </div>
    </div>
  )
}

/** Shows the total number of travellers with the list. If the trip has another number, shows the new price. */
function CountNotice({ birthDates, target }: { birthDates: readonly string[]; target: Target }) {
  const { words } = useWords()
  const [before, after] = [target.rows.length + 1, birthDates.length]
  if (before === after) return <p>{words('people.import.as_on_trip', { count: after })}</p>
  return (
    <Callout tone="warning" title={words('people.import.differs', { before, after })}>
      <PriceChange birthDates={birthDates} target={target} />
    </Callout>
  )
}

function PriceChange({ birthDates, target: { rate, currency } }: { birthDates: readonly string[]; target: Target }) {
  const { words } = useWords()
  const { cents } = useFormat()
  const [now, then] = useMemo(() => [rate(), rate(birthDates)], [rate, birthDates])
  const problem = then.problems?.find(({ path }) => path === 'travelers')
  if (problem) return problemIn(words, problem)
  if (!now.price || !then.price) return words('people.import.price_later')
  const [from, to] = [cents(now.price.total, currency), cents(then.price.total, currency)]
  return from === to ? words('people.import.price_stays', { price: from }) : words('people.import.price_changes', { from, to })
}
