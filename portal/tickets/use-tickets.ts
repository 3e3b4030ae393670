import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Reply } from '#common/kit/call.ts'
import type { TicketKind } from '#common/products/tickets.ts'
import { listTickets, ticketDetail, ticketForms } from '#common/tickets/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { queries } from '#portal/kit/queries.ts'
import { useWords } from '#portal/kit/words.tsx'

export type TicketRow = Reply<typeof listTickets>['tickets'][number]
export type TicketDetail = Reply<typeof ticketDetail>
export type Form = Reply<typeof ticketForms>[number]

/** An answer may come at any time. */
const lookEveryMs = 60_000

/** What the address says of a list. */
export type Look = { page?: string; search?: string; ticket?: string; policy?: string; write?: string }

export function useTickets(kind: TicketKind, look: Look) {
  const page = look.page && /^[1-9]\d{0,5}$/.test(look.page) ? Number(look.page) : 1
  const { locale } = useWords()
  const question = { kind, page, searchData: look.search?.slice(0, 200) ?? null }
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['tickets', 'list', question, locale],
    queryFn: ({ signal }) => ask(listTickets, question, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: lookEveryMs,
    refetchOnWindowFocus: true,
  })
  return { data: error ? undefined : data, error, busy: isPlaceholderData, again: () => void refetch() }
}

export function useTicket(ticketUuid: string) {
  const { locale } = useWords()
  return useQuery({
    queryKey: ['tickets', 'detail', ticketUuid, locale],
    queryFn: async ({ signal }) => {
      const detail = await ask(ticketDetail, { ticketUuid }, { signal })
      // It is read now.
      for (const counted of ['list', 'unread']) void queries.invalidateQueries({ queryKey: ['tickets', counted] })
      return detail
    },
    refetchInterval: lookEveryMs,
  })
}

/** What can be asked for, in the language of the moment. */
export function useForms(kind: TicketKind) {
  const { locale } = useWords()
  const found = useQuery({
    queryKey: ['tickets', 'forms', locale],
    queryFn: ({ signal }) => ask(ticketForms, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  return { ...found, forms: found.data?.filter(form => form.kind === kind) }
}

export const ticketsChanged = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['tickets'], predicate: ({ queryKey }) => queryKey[1] !== 'forms' })
