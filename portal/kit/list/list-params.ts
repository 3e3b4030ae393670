import { useNavigate, useSearch } from '@tanstack/react-router'
import { largestPage } from '#common/kit/call.ts'

/**
 * A list's state in its URL, so that a reload, the back button and a shared link show the same view. Its search text is kept outside the URL
 * (unnamed).
 */
export type ListParams<Name extends string = string> = { [name in Name]?: string }
export type ListChange<Name extends string = string> = { [name in Name]?: string | undefined }

/** Reads the list's state from the URL, and returns the functions that change it. */
export function useListParams<Name extends string>() {
  const search = useSearch({ strict: false })
  // Safe: readQuery reads every parameter as text.
  const params = search as ListParams<Name>
  const navigate = useNavigate()
  return { params, ...listChanges<Name>(navigate) }
}

type Search = (before: ListChange) => ListParams
type Target = { to: '.'; search: Search; mask: { to: '.'; search: Search }; replace?: boolean; resetScroll?: boolean }

/**
 * Returns a navigation whose URL lacks the search text: that may be a person's name, document number or address, and logs and histories keep URLs.
 * The tab's history state keeps it, for reload and back.
 */
export const unnamed = (search: Search): Pick<Target, 'to' | 'search' | 'mask'> => ({
  to: '.',
  search,
  mask: { to: '.', search: before => withoutEmpty({ ...search(before), search: undefined }) },
})

/** Returns the functions that change a list's state in the URL. */
export function listChanges<Name extends string>(navigate: (target: Target) => Promise<void>) {
  const change = (change: ListChange<Name>, options: { replace?: boolean; resetScroll?: boolean }) =>
    void navigate({ ...unnamed(before => withoutEmpty({ ...before, ...change })), resetScroll: false, ...options })
  return {
    /** Filters or sorts: shows the first page of another list, without an entry in the history. */
    filter: (filters: ListChange<Name>) => change({ page: undefined, ...filters }, { replace: true }),
    /** Opens or closes something, with an entry in the history. */
    show: (opened: ListChange<Name>, options: { resetScroll?: boolean } = {}) => change(opened, options),
    /** Opens something in place of the open one, without an entry in the history. */
    follow: (opened: ListChange<Name>) => change(opened, { replace: true }),
    turnTo: (page: number) => change(pageParam(page), { resetScroll: true }),
    /** Shows the last page instead of one beyond it. */
    stayWithin: (lastPage: number) => change(pageParam(lastPage), { replace: true }),
    /** Switches to another list, with these filters only. */
    switchTo: (filters: ListChange<Name>) => void navigate({ ...unnamed(() => withoutEmpty(filters)), resetScroll: false }),
  }
}

const pageParam = (page: number): ListChange => ({ page: page === 1 ? undefined : String(page) })

export const withoutEmpty = (params: ListChange): ListParams => {
  const filled: ListParams = {}
  for (const [name, value] of Object.entries(params)) if (value) filled[name] = value
  return filled
}

/** Returns the page in the URL; 1 if that is not a page number that a list accepts. */
export const pageIn = ({ page }: ListParams<'page'>): number =>
  page && /^[1-9]\d*$/.test(page) && Number(page) <= largestPage ? Number(page) : 1

/** Returns the value if it is one of these; undefined for anything else in the URL. */
export const oneOf = <Value extends string>(values: readonly Value[], param: string | undefined): Value | undefined =>
  values.find(value => value === param)

export { idIn } from '#common/kit/call.ts'
