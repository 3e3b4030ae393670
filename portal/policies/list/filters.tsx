import { type ReactNode, useState } from 'react'
import { displayDate } from '#common/kit/dates.ts'
import { daysIn } from '#common/policies/views/views.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import type { ListChange } from '#portal/kit/list/list-params.ts'
import { SearchFilter } from '#portal/kit/list/search-filter.tsx'
import { later } from '#portal/kit/page/later.tsx'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { PolicyParam, PolicyParams } from '../list-params.ts'
import type { Kind } from '../use-policies.ts'
import { type FacetId, useFacets } from './use-facets.ts'

/** Loaded with the first filter, or when one is about to be added. */
const [FilterChip, loadChip] = later(async () => (await import('./filter-chip.tsx')).FilterChip)

type Props = { kind: Kind; params: PolicyParams; onFilter: (filters: ListChange<PolicyParam>) => void; children?: ReactNode }

/** The search, a chip for each filter, and the choice of another one. `children` are the buttons at the end. */
export function Filters({ kind, params, onFilter, children }: Props) {
  const { words } = useWords()
  const [added, setAdded] = useState<FacetId>()
  const facets = useFacets(kind, params, added)
  const shown = facets.filter(({ id, value }) => value !== undefined || id === added)
  const offered = facets.filter(facet => !shown.includes(facet))
  const label = words('policies.filter')
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SearchFilter
          label={words('policies.search')}
          placeholder={words('policies.search_hint')}
          hideLabel
          name="searchData"
          text={params.search}
          onText={search => onFilter({ search })}
          className="min-w-32 flex-1 sm:max-w-72 sm:min-w-48"
        />
        {/* On a phone the chips are one line that scrolls, so that the first policy stays near the top. */}
        <ul className="order-last flex w-full gap-2 overflow-x-auto [scrollbar-width:none] empty:hidden sm:contents">
          {shown.map(facet => (
            <FilterChip
              key={facet.id}
              facet={facet}
              params={params}
              startsOpen={facet.id === added}
              // A chip that was left without a choice is removed.
              onClose={() => setAdded(undefined)}
              onFilter={filters => {
                setAdded(facet.id)
                onFilter(filters)
              }}
              onRemove={() => {
                setAdded(undefined)
                onFilter(facet.none)
              }}
            />
          ))}
        </ul>
        {offered.length > 0 && (
          <Menu label={label} align="start" items={offered.map(({ id, label }) => ({ label, onSelect: () => setAdded(id) }))}>
            {trigger => (
              <Button {...trigger} look="plain" icon="plus" onPointerEnter={loadChip}>
                {label}
              </Button>
            )}
          </Menu>
        )}
        <div className="ml-auto flex gap-1">{children}</div>
      </div>
      <Ignored params={params} />
    </div>
  )
}

/** Names the days in the URL by which the list is not filtered. */
function Ignored({ params }: { params: PolicyParams }) {
  const { words } = useWords()
  const today = todayInUnit()
  const ignored = [...daysIn(params.from, params.to, today).ignored, ...daysIn(params.returnFrom, params.returnTo, today).ignored]
  if (ignored.length === 0) return null
  return (
    <p role="status" className="text-sm text-warning">
      {words('policies.dates_ignored', { days: ignored.map(day => displayDate(day) ?? day.slice(0, 20)).join(', ') })}
    </p>
  )
}
