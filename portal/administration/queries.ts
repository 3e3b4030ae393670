import { useQuery } from '@tanstack/react-query'
import type { AnyCall, RequestSentOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { queries } from '#portal/kit/queries.ts'

/** Everything that the administration loads is cached under this key. */
export const key = ['administration']

/** Loads one record, without using the cache. */
export function useRecord<C extends AnyCall>(call: C, request: RequestSentOf<C>) {
  const { data, error, refetch } = useQuery({
    queryKey: [...key, call.path, request],
    queryFn: ({ signal }) => ask(call, request, { signal }),
    staleTime: 0,
  })
  return { data, error, refetch, retry: () => void refetch() }
}

/** Reloads everything that the administration shows. */
export const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: key })

/** Shows a summary of the change, and closes the window. */
export async function done(summary: string, onClose: () => void): Promise<void> {
  await reload()
  showToast({ severity: 'success', summary })
  onClose()
}
