import { useQuery } from '@tanstack/react-query'
import type { AnyCall, RequestSentOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { type ListParams, pageIn, useListParams } from '#portal/kit/list/list-params.ts'
import { type PanelOf, useStep } from '#portal/kit/list/rows.ts'
import type { ListPage } from '#portal/kit/list/use-list.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { queries } from '#portal/kit/queries.ts'
import type { paramNames } from './list-param-names.ts'

type Param = (typeof paramNames)[number]

/** List state kept in the URL: the tab, its filters, and the open record. */
export type AdministrationParams = ListParams<Param>

export function useParams() {
  const list = useListParams<Param>()
  return { ...list, close: () => list.show({ open: undefined }) }
}

export const pagingOf = (params: AdministrationParams) => ({ page: pageIn(params), perPage: 20 })

/** Keeps the record that is open beside a list in the URL: `props` are for the list, `panel` is for the panel. */
export function useOpenRecord<Row>(list: ListPage<Row>, keyOf: (row: Row) => string) {
  const { params, show, follow, turnTo, close } = useParams()
  const open = params.open
  const onFollow = (row: Row) => follow({ open: keyOf(row) })
  const onOpen = (row: Row) => (open ? follow : show)({ open: keyOf(row) })
  const onStep = useStep(list, { keyOf, open, onFollow, turnTo })
  const panel: PanelOf = { of: open ?? '', onStep, onClose: close }
  return { props: { keyOf, onOpen, open, onFollow }, panel }
}

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
