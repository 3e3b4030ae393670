import { QueryClient } from '@tanstack/react-query'
import type { AnyCall, RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { ask, takeKept } from './ask.ts'
import { onReset } from './stores.ts'

/**
 * The cache of recent responses. It does not retry, because ask.ts does. Without a network a query fails at once, rather than pausing without a word.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'offlineFirst', retry: false, refetchOnWindowFocus: false, staleTime: 30_000 },
  },
})

/** The way in which a query gets its data. */
export type Loading<Data> = { queryFn: (context: { signal: AbortSignal }) => Promise<Data>; initialData: () => Data | undefined }

/** Loads the response of a call. One that was sent with the page is there at the first rendering. */
export const loadingOf = <C extends AnyCall>(call: C, request: RequestSentOf<C>): Loading<ResponseOf<C>> => ({
  queryFn: ({ signal }) => ask(call, request, { signal }),
  initialData: () => takeKept(call, request),
})

onReset(() => queries.clear())
