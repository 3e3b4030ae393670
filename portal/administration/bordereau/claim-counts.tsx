import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Bordereau } from './period.tsx'
import { TitledTable } from './titled-table.tsx'

type Counts = NonNullable<Bordereau['claims']>

/** The counts of a bordereau of claims. It has no amounts, as the insurer settles claims in its own books. */
export function ClaimCounts({ claims: { rows, filed, states } }: { claims: Counts }) {
  const { words } = useWords()
  const { number } = useFormat()
  if (rows === 0) return <p className="text-sm text-quiet">{words('administration.bordereau_claims_none')}</p>
  const stateName = (state: string) => words('administration.bordereau_claim_state', { state })
  return (
    <>
      <TitledTable<Counts['states'][number]>
        caption={words('administration.bordereau_claims')}
        columns={[
          { key: 'state', head: words('administration.state'), cell: ({ state }) => stateName(state) },
          { key: 'rows', head: words('administration.bordereau_rows'), align: 'end', cell: each => number(each.rows) },
        ]}
        rows={states}
        keyOf={({ state }) => state}
        lines={each => ({ title: stateName(each.state), end: number(each.rows), detail: '', state: null })}
      />
      <p className="text-sm">{words('administration.bordereau_claims_filed', { count: filed, rows })}</p>
    </>
  )
}
