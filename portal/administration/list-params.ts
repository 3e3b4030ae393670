import { type ListParams, pageIn, useListParams } from '#portal/kit/list/list-params.ts'
import type { paramNames } from './list-param-names.ts'

type Param = (typeof paramNames)[number]

/** List state kept in the URL: the tab, its filters, and the record that is open. */
export type AdministrationParams = ListParams<Param>

export function useParams() {
  const list = useListParams<Param>()
  return { ...list, close: () => list.show({ open: undefined }) }
}

export const pagingOf = (params: AdministrationParams) => ({ page: pageIn(params), perPage: 20 })
