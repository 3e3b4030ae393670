import { memo, useMemo, useRef } from 'react'
import type { Problem } from '#common/kit/problems.ts'
import type { ImportedRow } from '#common/policies/import/cells.ts'
import { fieldsOf } from '#common/policies/import/columns.ts'
import type { User } from '#common/policies/people.ts'
import { duplicateRowProblems, extraTravellerProblems } from '#common/policies/step2.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { RadioCards } from '#portal/kit/field/radio-cards.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { peopleSettings } from '../guard.ts'
import { type Change, type Draft, type ImportMode, type Item, withColumn, withHeader } from './draft.ts'
import { fieldLabel } from './labels.ts'
import { PreviewRow } from './preview-row.tsx'

type Props = {
  draft: Draft
  hasSecondLastName: boolean
  maxTravellers: number
  typedRows: number
  /** The people in the form who stay. */
  others: readonly User[]
  mode: ImportMode
  onMode: (mode: ImportMode) => void
  onChange: Change
  onBack: () => void
  onClose: () => void
  onImport: (rows: ImportedRow[]) => void
}

/** Previews the list as it would be imported, with each problem at its field. */
export function Preview({
  draft,
  hasSecondLastName,
  maxTravellers,
  typedRows,
  others,
  mode,
  onMode,
  onChange,
  onBack,
  onClose,
  onImport,
}: Props) {
  const { words } = useWords()
  const list = useRef<HTMLOListElement>(null)
  const { items } = draft
  const problems = useProblems(items, others)
  const problemCount = [...problems.values()].reduce((sum, { length }) => sum + length, 0)
  const travellers = items.length + 1 + (mode === 'after' ? typedRows : 0)
  const tooMany = travellers > maxTravellers
  const focusProblem = () => list.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  function importList() {
    if (problemCount > 0) return focusProblem()
    if (!tooMany && items.length > 0) onImport(items.map(({ row }) => row))
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
            onChange={onChange}
          />
        ))}
      </ol>
    </Dialog>
  )
}

const none: Problem[] = []
const problemCache = new WeakMap<ImportedRow, Problem[]>()

/** Returns the problems of each row by the rules of the form. An unchanged row is not validated again. */
function useProblems(items: readonly Item[], others: readonly User[]): Map<Item, Problem[]> {
  return useMemo(() => {
    const settings = peopleSettings()
    const duplicates = duplicateRowProblems(
      items.map(({ row }) => row),
      others,
    )
    return new Map(
      items.map((item, index) => {
        const problems = problemCache.get(item.row) ?? extraTravellerProblems(item.row, settings)
        problemCache.set(item.row, problems)
        return [item, [...problems, ...(duplicates[index] ?? none)]]
      }),
    )
  }, [items, others])
}

/** Chooses the column of each field, to correct those that were not recognised. */
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
  const options = [
    { value: '-1', label: words('people.import.no_column') },
    ...header.map((name, index) => ({
      value: String(index),
      label: draft.hasHeader && name ? name : words('people.import.column', { place: index + 1 }),
    })),
  ]
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{words('people.import.columns')}</legend>
      <div className={`grid gap-2 sm:grid-cols-3 ${hasSecondLastName ? 'lg:grid-cols-6' : 'lg:grid-cols-5'}`}>
        {fieldsOf(hasSecondLastName).map(field => (
          <Select
            key={field}
            label={fieldLabel(field, hasSecondLastName, words)}
            name={`column.${field}`}
            value={String(draft.columns[field])}
            options={options}
            onChange={value => onChange(draft => draft && withColumn(draft, field, Number(value)))}
          />
        ))}
      </div>
      <Checkbox
        label={words('people.import.header')}
        name="hasHeader"
        checked={draft.hasHeader}
        onChange={checked => onChange(draft => draft && withHeader(draft, checked))}
      />
    </fieldset>
  )
})
