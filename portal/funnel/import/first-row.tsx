import { useMemo } from 'react'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Callout } from '#portal/kit/ui/card.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { type Change, type Draft, withFirstRow } from './draft.ts'
import { firstCandidate, replacedBy, type Target } from './target.ts'

/** Says if a row of the list is the form's first traveller, and which typed values it would replace. */
export function FirstRow({ draft, target, onChange }: { draft: Draft; target: Target; onChange: Change }) {
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
export function CountNotice({ birthDates, target }: { birthDates: readonly string[]; target: Target }) {
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
