import { useQuery } from '@tanstack/react-query'
import { unreadTickets } from '#common/tickets/unread-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { useMay } from '#portal/session/session.ts'

const refreshMs = 5 * 60_000

/** Returns the number of tickets with unread messages by menu entry. It refreshes every 5 minutes and when the window gets focus. */
export function useUnread(): { [to: string]: number } {
  const enabled = useMay('b2b-access')
  const { data } = useQuery({
    queryKey: ['tickets', 'unread'],
    queryFn: ({ signal }) => ask(unreadTickets, {}, { signal }),
    enabled,
    refetchInterval: refreshMs,
    refetchOnWindowFocus: true,
  })
  return data ? { '/claim': data.claim, '/customer-service': data.request } : {}
}
