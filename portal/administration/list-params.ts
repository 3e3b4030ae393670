import { type ListParams, pageIn, useListParams } from '#portal/kit/list/list-params.ts'
import { type PanelOf, useStep } from '#portal/kit/list/rows.ts'
import type { ListPage } from '#portal/kit/list/use-list.ts'
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
