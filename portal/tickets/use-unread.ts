import { useQuery } from '@tanstack/react-query'
import { unreadTickets } from '#common/tickets/unread-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { useMay } from '#portal/session/session.ts'

const lookEveryMs = 5 * 60_000

/** By the menu's entries, how many tickets hold something new: whenever somebody comes back to the page, and now and then. */
export function useUnread(): { [to: string]: number } {
  const enabled = useMay('b2b-access')
  const { data } = useQuery({
    queryKey: ['tickets', 'unread'],
    queryFn: ({ signal }) => ask(unreadTickets, {}, { signal }),
    enabled,
    refetchInterval: lookEveryMs,
    refetchOnWindowFocus: true,
  })
  return data ? { '/claim': data.claim, '/customer-service': data.request } : {}
}
