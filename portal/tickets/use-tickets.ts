import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ResponseOf } from '#common/kit/call.ts'
import type { TicketKind } from '#common/products/tickets.ts'
import { listTickets, ticketDetail, ticketForms } from '#common/tickets/calls.ts'
import { ticketConditions, type TicketViewParam } from '#common/tickets/views.ts'
import { ask } from '#portal/kit/ask.ts'
import { type ListParams, pageIn } from '#portal/kit/list/list-params.ts'
import { useList } from '#portal/kit/list/use-list.ts'
import { queries } from '#portal/kit/queries.ts'
import { useWords } from '#portal/kit/words.tsx'

export type TicketRow = ResponseOf<typeof listTickets>['tickets'][number]
export type TicketDetail = ResponseOf<typeof ticketDetail>
export type Form = ResponseOf<typeof ticketForms>[number]

/** Tickets are loaded again each minute, since a reply may come at any time. */
export const refreshMs = 60_000

/** `as=page` shows the open ticket as a page of its own, `type` is the key of a new ticket's type. */
export type TicketParam = TicketViewParam | 'page' | 'search' | 'ticket' | 'as' | 'policy' | 'type' | 'write'

export function useTickets(kind: TicketKind, params: ListParams<TicketParam>) {
  const { locale } = useWords()
  // Without filters it is the request that the payload answers.
  const request = { ...ticketConditions(kind, params), page: pageIn(params), searchData: params.search?.slice(0, 200) ?? null }
  return useList(listTickets, request, { key: ['tickets', 'list', locale], rows: ({ tickets }) => tickets, refreshMs })
}

export function useTicket(ticketUuid: string) {
  const { locale } = useWords()
  return useQuery({
    queryKey: ['tickets', 'detail', ticketUuid, locale],
    queryFn: async ({ signal }) => {
      const detail = await ask(ticketDetail, { ticketUuid }, { signal })
      // Opening a ticket marks it as read.
      for (const counted of ['list', 'unread']) void queries.invalidateQueries({ queryKey: ['tickets', counted] })
      return detail
    },
    refetchInterval: refreshMs,
  })
}

/** The forms for new tickets, in the user's language. */
export function useForms(kind: TicketKind, { enabled = true } = {}) {
  const { locale } = useWords()
  const query = useQuery({
    queryKey: ['tickets', 'forms', locale],
    queryFn: ({ signal }) => ask(ticketForms, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    enabled,
  })
  return { ...query, forms: query.data?.filter(form => form.kind === kind) }
}

export const ticketsChanged = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['tickets'], predicate: ({ queryKey }) => queryKey[1] !== 'forms' })
