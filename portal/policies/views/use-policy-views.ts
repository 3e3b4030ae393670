import { deletePolicyView, policyViews, savePolicyView } from '#common/policies/views/calls.ts'
import { type BuiltInView, builtInViews, viewParams } from '#common/policies/views/views.ts'
import type { RequestSentOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import type { ViewedList } from '#portal/views/use-views.ts'
import { useWords } from '#portal/kit/words.tsx'
import { hiddenColumns, showColumns } from '../list/columns.tsx'
import { orderParams } from '../list-params.ts'
import type { Kind } from '../use-policies.ts'

/** The labels of the built-in views. In some languages, policies and quotes differ in gender. */
const labels = {
  all: { purchased: 'policies.view_sold', budgeted: 'policies.view_all_saved' },
  leaving: { purchased: 'policies.view_leaving', budgeted: 'policies.view_leaving' },
  returning: { purchased: 'policies.view_returning', budgeted: 'policies.view_returning' },
  mine: { purchased: 'policies.view_mine', budgeted: 'policies.view_mine_saved' },
  cancelled: { purchased: 'policies.view_cancelled', budgeted: 'policies.view_cancelled' },
  unpaid: { purchased: 'policies.view_unpaid', budgeted: 'policies.view_unpaid' },
} as const satisfies Record<BuiltInView, Record<Kind, string>>

export function usePolicyViews(list: Kind): ViewedList {
  const { words } = useWords()
  return {
    key: ['policies', 'views', list],
    builtIn: builtInViews[list].map(({ id, params }) => ({ id, params, label: words(labels[id][list]) })),
    paramNames: viewParams,
    orderNames: orderParams,
    hint: words('policies.view_hint'),
    load: exact => loadingOf(policyViews, { list, ...(exact ? { exact } : {}) }),
    // Safe: the service refuses anything that is not a view's.
    save: view => ask(savePolicyView, { list, ...view } as RequestSentOf<typeof savePolicyView>),
    remove: viewUuid => ask(deletePolicyView, { viewUuid }),
    columns: { hidden: () => hiddenColumns(list), show: hidden => showColumns(list, hidden) },
  }
}
