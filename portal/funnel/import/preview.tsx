import { memo, useMemo, useRef } from 'react'
import type { Problem } from '#common/kit/problems.ts'
import type { ImportedRow } from '#common/policies/import/cells.ts'
import { fieldsOf } from '#common/policies/import/columns.ts'
import { extraTravellerProblems } from '#common/policies/step2.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { RadioCards } from '#portal/kit/field/radio-cards.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { peopleSettings } from '../guard.ts'
import { type Change, type Draft, type How, type Item, withColumn, withHeader } from './draft.ts'
import { fieldLabel } from './labels.ts'
import { PreviewRow } from './preview-row.tsx'

type Props = {
  draft: Draft
  second: boolean
  most: number
  typed: number
  how: How
  onHow: (how: How) => void
  onChange: Change
  onBack: () => void
  onClose: () => void
  onTake: (rows: ImportedRow[]) => void
}

/** The list as it would be taken, every fault in its place. */
export function Preview({ draft, second, most, typed, how, onHow, onChange, onBack, onClose, onTake }: Props) {
  const { words } = useWords()
  const list = useRef<HTMLOListElement>(null)
  const { items } = draft
  const problems = useProblems(items)
  const faults = [...problems.values()].reduce((sum, { length }) => sum + length, 0)
  const travellers = items.length + 1 + (how === 'after' ? typed : 0)
  const tooMany = travellers > most
  const toFault = () => list.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  function take() {
    if (faults > 0) return toFault()
    if (!tooMany && items.length > 0) onTake(items.map(({ row }) => row))
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
          <Button aria-disabled={items.length === 0 || tooMany || undefined} onClick={take}>
            {words('people.import.take', { count: items.length })}
          </Button>
        </>
      }
    >
      <div role="status" className="grid gap-2">
        <p>{words('people.import.found', { count: items.length })}</p>
        {faults > 0 && (
          <Callout tone="warning" title={words('people.import.faults', { count: faults })}>
            <button type="button" onClick={toFault} className="underline underline-offset-2 pointer-coarse:min-h-11">
              {words('people.import.to_fault')}
            </button>
          </Callout>
        )}
        {tooMany && <Callout tone="danger" title={words('people.import.too_many', { travellers, most })} />}
        {!draft.byName && draft.hasHeader && <Callout tone="info" title={words('people.import.by_order')} />}
      </div>
      <Meanings draft={draft} second={second} onChange={onChange} />
      {typed > 0 && (
        <RadioCards<How>
          label={words('people.import.how', { count: typed })}
          name="importHow"
          value={how}
          onChange={onHow}
          options={[
            { value: 'after', label: words('people.import.after') },
            { value: 'instead', label: words('people.import.instead') },
          ]}
        />
      )}
      <ol ref={list} className="grid gap-3" aria-label={words('people.import.preview')}>
        {items.map((item, place) => (
          <PreviewRow key={item.key} item={item} place={place} second={second} problems={problems.get(item) ?? none} onChange={onChange} />
        ))}
      </ol>
    </Dialog>
  )
}

const none: Problem[] = []
const judged = new WeakMap<ImportedRow, Problem[]>()

/** By the rules of the form. A row that did not change is not judged again. */
function useProblems(items: readonly Item[]): Map<Item, Problem[]> {
  return useMemo(() => {
    const settings = peopleSettings()
    return new Map(
      items.map(item => {
        const known = judged.get(item.row) ?? extraTravellerProblems(item.row, settings)
        judged.set(item.row, known)
        return [item, known]
      }),
    )
  }, [items])
}

/** Which column holds what, to be mended where it was not recognised. */
const Meanings = memo(function Meanings({ draft, second, onChange }: { draft: Draft; second: boolean; onChange: Change }) {
  const { words } = useWords()
  const header = draft.table[0] ?? []
  const options = [
    { value: '-1', label: words('people.import.no_column') },
    ...header.map((name, place) => ({
      value: String(place),
      label: draft.hasHeader && name ? name : words('people.import.column', { place: place + 1 }),
    })),
  ]
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{words('people.import.columns')}</legend>
      <div className={`grid gap-2 sm:grid-cols-3 ${second ? 'lg:grid-cols-5' : 'lg:grid-cols-4'}`}>
        {fieldsOf(second).map(field => (
          <Select
            key={field}
            label={fieldLabel(field, second, words)}
            name={`column.${field}`}
            value={String(draft.columns[field])}
            options={options}
            onChange={value => onChange(now => now && withColumn(now, field, Number(value)))}
          />
        ))}
      </div>
      <Checkbox
        label={words('people.import.header')}
        name="hasHeader"
        checked={draft.hasHeader}
        onChange={checked => onChange(now => now && withHeader(now, checked))}
      />
    </fieldset>
  )
})
