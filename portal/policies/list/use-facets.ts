import { useQuery } from '@tanstack/react-query'
import { intlTag } from '#common/kit/locales.ts'
import { narrowedToOwn } from '#common/kit/permissions.ts'
import { policyAgents } from '#common/policies/views/calls.ts'
import { daysIn } from '#common/policies/views/views.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask } from '#portal/kit/ask.ts'
import { useMissingItems } from '#portal/kit/errors/missing-options.ts'
import type { ListChange } from '#portal/kit/list/list-params.ts'
import type { MenuItem } from '#portal/kit/overlay/menu.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useProducts } from '#portal/products/store.ts'
import { permissionsNow, useUser } from '#portal/session/session.ts'
import { type PolicyParam, type PolicyParams, presetOf } from '../list-params.ts'
import type { Kind } from '../use-policies.ts'

type Filters = ListChange<PolicyParam>
type Choice = { label: string; checked: boolean; filters: Filters }

/** One way to filter: by days, or by a choice. `value` is the current filter; undefined if there is none. */
export type Facet = { id: FacetId; label: string; value: string | undefined; none: Filters } & (
  | { days: readonly ['from' | 'returnFrom', 'to' | 'returnTo'] }
  /** `missing` are the menu's items while its further choices are not loaded. */
  | { choices: readonly Choice[]; missing: readonly MenuItem[] }
)
export type FacetId = 'departure' | 'return' | 'status' | 'agent' | 'product'

/** Returns the ways to filter a list. The agents are loaded when `added` needs them, or when the list is filtered by one. */
export function useFacets(kind: Kind, params: PolicyParams, added: FacetId | undefined): Facet[] {
  const { words } = useWords()
  const { uuid: me } = useUser()
  const products = useProducts(({ products }) => products)
  const daysText = useDaysText()
  const agentsQuery = useQuery({
    queryKey: ['policies', 'agents', kind],
    queryFn: ({ signal }) => ask(policyAgents, { list: kind }, { signal }),
    enabled: added === 'agent' || (params.agent !== undefined && params.agent !== 'me'),
  })
  const missingAgents = useMissingItems(agentsQuery)
  const choice = (
    id: 'status' | 'agent' | 'product',
    label: string,
    options: readonly { value: string; label: string }[],
    missing: readonly MenuItem[] = [],
  ): Facet => {
    const chosen = params[id]
    return {
      id,
      label,
      value: chosen && (options.find(({ value }) => value === chosen)?.label ?? '…'),
      none: { [id]: undefined },
      choices: options.map(({ value, label }) => ({ label, checked: value === chosen, filters: { [id]: value } })),
      missing,
    }
  }
  const agents = (agentsQuery.data?.agents ?? []).filter(({ uuid }) => uuid !== me).map(({ uuid, name }) => ({ value: uuid, label: name }))
  return [
    {
      id: 'departure',
      label: words('policies.column_start'),
      value: daysText(params.from, params.to),
      none: { from: undefined, to: undefined },
      days: ['from', 'to'],
    },
    {
      id: 'return',
      label: words('policies.column_end'),
      value: daysText(params.returnFrom, params.returnTo),
      none: { returnFrom: undefined, returnTo: undefined },
      days: ['returnFrom', 'returnTo'],
    },
    choice(
      'status',
      words('policies.column_status'),
      kind === 'purchased'
        ? [{ value: 'cancelled', label: words('policies.status_cancelled') }]
        : [
            { value: 'pending', label: words('policies.status_pending') },
            { value: 'budgeted', label: words('policies.status_budgeted') },
          ],
    ),
    ...(narrowedToOwn(permissionsNow())
      ? []
      : [choice('agent', words('policies.column_seller'), [{ value: 'me', label: words('policies.me') }, ...agents], missingAgents)]),
    choice(
      'product',
      words('policies.column_product'),
      products.map(({ uuid, name }) => ({ value: uuid, label: name })),
    ),
  ]
}

/** Returns a function that writes two days as a period: the next days, a range, or an open end. */
function useDaysText(): (from: string | undefined, to: string | undefined) => string | undefined {
  const { words, locale } = useWords()
  const today = todayInUnit()
  return (fromParam, toParam) => {
    const preset = presetOf(fromParam, toParam, today)
    if (preset) return words('policies.next_days', { days: preset })
    const { from, to } = daysIn(fromParam, toParam, today)
    const isThisYear = [from, to].every(day => day === null || day.slice(0, 4) === today.slice(0, 4))
    const format = new Intl.DateTimeFormat(intlTag(locale), {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
      ...(isThisYear ? {} : { year: 'numeric' }),
    })
    if (from && to) return format.formatRange(new Date(from), new Date(to))
    if (from) return words('policies.since_day', { day: format.format(new Date(from)) })
    return to ? words('policies.until_day', { day: format.format(new Date(to)) }) : undefined
  }
}
