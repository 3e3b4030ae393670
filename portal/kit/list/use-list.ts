import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Call, CallSchemas, Needs, RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { loadingOf } from '#portal/kit/queries.ts'

/** A call that returns one page of a list. */
export type ListCall = Call<CallSchemas & { response: z.ZodMiniType<PageInfo> }, Needs>
/** If `totalIsExact` is missing, the numbers are exact. */
type PageInfo = { page: number; perPage: number; total: number; totalPages: number; totalIsExact?: boolean }

/** One page of a list, as the list screen shows it. */
export type ListPage<Row, Info extends PageInfo = PageInfo> = {
  /** Undefined before the first page is loaded. */
  rows: readonly Row[] | undefined
  /** The response. Undefined before the first page is loaded, and if it could not be. */
  info: Info | undefined
  error: Error | null
  /** True while the next page is loading, and the rows are the previous page's. */
  busy: boolean
  retry: () => void
}

type Options<C extends ListCall, Row> = {
  /** The beginning of the page's cache key. Changes of its rows invalidate this key. */
  key: readonly unknown[]
  rows: (reply: ResponseOf<C>) => readonly Row[]
  /** Loads the page again after this many ms, and whenever the window gets the focus. */
  refreshMs?: number
}

/** Loads one page of a list. The previous page stays until the next is loaded; outdated requests are aborted. */
export function useList<C extends ListCall, Row>(
  call: C,
  request: RequestSentOf<C>,
  options: Options<C, Row>,
): ListPage<Row, ResponseOf<C> & PageInfo> {
  const { key, rows, refreshMs } = options
  const { data, error, isPlaceholderData, refetch } = useQuery<ResponseOf<C>>({
    queryKey: [...key, call.path, request],
    ...loadingOf(call, request),
    placeholderData: keepPreviousData,
    ...(refreshMs ? { refetchInterval: refreshMs, refetchOnWindowFocus: true } : {}),
  })
  const shown = error ? undefined : data
  return { rows: shown && rows(shown), info: shown, error, busy: isPlaceholderData, retry: () => void refetch() }
}
