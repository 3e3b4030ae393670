import { idIn } from '#common/kit/call.ts'
import type { TicketKind } from '#common/products/tickets.ts'
import { ticketStatuses } from '#common/tickets/states.ts'
import { deleteTicketView, saveTicketView, ticketViews } from '#common/tickets/views/calls.ts'
import { builtInTicketViews, ticketViewParams } from '#common/tickets/views/views.ts'
import { ask } from '#portal/kit/ask.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { oneOf } from '#portal/kit/list/list-params.ts'
import type { ViewedList, ViewParams } from '#portal/views/use-views.ts'
import { useWords } from '#portal/kit/words.tsx'
import { statusWords } from './detail/status-badge.tsx'
import { refreshMs } from './use-tickets.ts'

/** The views of claims, or of requests to customer service. */
export function useTicketViews(list: TicketKind): ViewedList {
  const { words } = useWords()
  const labels = {
    ...statusWords,
    all: 'tickets.view_all',
    mine: list === 'claim' ? 'tickets.view_mine' : 'tickets.view_mine_requests',
  } as const
  return {
    key: ['tickets', 'views', list],
    builtIn: builtInTicketViews.map(({ id, params }) => ({ id, params, label: words(labels[id]) })),
    paramNames: ticketViewParams,
    orderNames: [],
    refreshMs,
    hint: words('tickets.view_hint'),
    load: exact => loadingOf(ticketViews, { list, ...(exact ? { exact } : {}) }),
    save: ({ name, params }) => ask(saveTicketView, { list, name, params: savedParams(params) }),
    remove: viewUuid => ask(deleteTicketView, { viewUuid }),
  }
}

/** Leaves out filters that the list does not have. */
const savedParams = ({ status, topic, by }: ViewParams) => ({
  status: oneOf(ticketStatuses, status),
  topic: idIn(topic),
  by: oneOf(['me'], by),
})
