import { useQuery } from '@tanstack/react-query'
import { type Loading, queries } from '#portal/kit/queries.ts'

/** The parameters of a list's URL that a view keeps. */
export type ViewParams = { [name: string]: string | undefined }
type Counted = { params: ViewParams; count: number | null }
export type OwnView = Counted & { viewUuid: string; name: string; hidden?: string[] }
type BuiltIn = { id: string; label: string; params: ViewParams }
export type View = { id: string; label: string; own?: OwnView } & Counted

type Listed = { builtIn: Record<string, number | null>; views: OwnView[] }
type ViewToSave = { name: string; params: ViewParams; hidden?: string[] }

/** A list that has views: their calls, the built-in ones, and the stored parts. */
export type ViewedList = {
  /** The keys of the queries of its views; the first is the feature's. */
  key: readonly string[]
  builtIn: readonly BuiltIn[]
  /** The parameters that a view stores. */
  paramNames: readonly string[]
  /** The parameters that only sort: a view is also shown in another order. */
  orderNames: readonly string[]
  load: (exact: boolean) => Loading<Listed>
  /** The interval in ms at which views are counted again, for a list that is reloaded at that interval. */
  refreshMs?: number
  /** The text below the name that says what a view stores. */
  hint: string
  save: (view: ViewToSave) => Promise<unknown>
  remove: (viewUuid: string) => Promise<unknown>
  /** The hidden columns, for a list whose columns can be hidden. */
  columns?: { hidden: () => string[]; show: (hidden: string[]) => void }
}

/** Returns the parameters of the URL that a view stores. */
export const viewIn = (names: readonly string[], params: ViewParams): ViewParams =>
  Object.fromEntries(names.flatMap(name => (params[name] === undefined ? [] : [[name, params[name]]])))

const isSameView = (names: readonly string[], one: ViewParams, other: ViewParams): boolean => names.every(name => one[name] === other[name])

/**
 * Returns the views of a list: the built-in ones at once, with the counts and own views when they are loaded. `retry` loads those that could not be.
 */
export function useViews({ key, builtIn, load, refreshMs }: ViewedList): { views: View[]; retry: (() => void) | undefined } {
  const query = (exact: boolean) => ({
    queryKey: [...key, exact],
    ...load(exact),
    ...(refreshMs ? { refetchInterval: refreshMs } : {}),
  })
  const { data: quick, isError, refetch } = useQuery(query(false))
  const { data: exact } = useQuery({ ...query(true), enabled: quick !== undefined && lacksCounts(quick) })
  return {
    views: viewsIn(builtIn, quick && lacksCounts(quick) ? (exact ?? quick) : quick),
    retry: isError && !quick ? () => void refetch() : undefined,
  }
}

/** With many rows, some counts take longer than the page may wait. */
export const lacksCounts = ({ builtIn, views }: Listed): boolean =>
  [...Object.values(builtIn), ...views.map(({ count }) => count)].includes(null)

/** Returns the built-in views in order, then the own ones as listed. A missing count is null. */
export const viewsIn = (builtIn: readonly BuiltIn[], listed: Listed | undefined): View[] => [
  ...builtIn.map(view => ({ ...view, count: listed?.builtIn[view.id] ?? null })),
  ...(listed?.views ?? []).map(view => ({ id: view.viewUuid, label: view.name, params: view.params, own: view, count: view.count })),
]

/** Returns the view that the list shows: one with these filters and this order, else one with these filters. */
export function viewShown<Shown extends { params: ViewParams }>(
  { paramNames, orderNames }: Pick<ViewedList, 'paramNames' | 'orderNames'>,
  views: readonly Shown[],
  params: ViewParams,
): Shown | undefined {
  const conditions = paramNames.filter(name => !orderNames.includes(name))
  const find = (names: readonly string[]) => views.find(view => isSameView(names, view.params, params))
  return find(paramNames) ?? find(conditions)
}

const viewsChanged = ({ key }: ViewedList): Promise<void> => queries.invalidateQueries({ queryKey: key })

export async function saveView(list: ViewedList, view: ViewToSave): Promise<void> {
  await list.save(view)
  await viewsChanged(list)
}

export async function removeView(list: ViewedList, { viewUuid }: OwnView): Promise<void> {
  await list.remove(viewUuid)
  await viewsChanged(list)
}
