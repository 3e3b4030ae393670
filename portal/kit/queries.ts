import { QueryClient } from '@tanstack/react-query'
import type { AnyCall, RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { ask, takeKept } from './ask.ts'
import { onReset } from './stores.ts'

/** The cache of recent replies. It does not retry, because ask.ts does. */
export const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 30_000 } } })

/** How a query gets its data. */
export type Loading<Data> = { queryFn: (context: { signal: AbortSignal }) => Promise<Data>; initialData: () => Data | undefined }

/** Loads the reply of a call. One that came with the page is there when the page is drawn for the first time. */
export const loadingOf = <C extends AnyCall>(call: C, request: RequestSentOf<C>): Loading<ResponseOf<C>> => ({
  queryFn: ({ signal }) => ask(call, request, { signal }),
  initialData: () => takeKept(call, request),
})

onReset(() => queries.clear())
