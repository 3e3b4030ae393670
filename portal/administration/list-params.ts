import { getRouteApi } from '@tanstack/react-router'
import type { lookNames } from './list-param-names.ts'

/** What the address says: which list, what is looked for in it, and what of it is open. */
export type Look = { [name in (typeof lookNames)[number]]?: string }
type Change = { [name in keyof Look]?: string | undefined }

const route = getRouteApi('/inside/administration')

/** The view that the address gives, and how to change it: back, reload and a shared link show the same again. */
export function useLook() {
  const look: Look = route.useSearch()
  const navigate = route.useNavigate()
  const go = (change: Change) => {
    const stays = 'open' in change || 'page' in change
    void navigate({
      search: before => clean({ ...before, ...(stays ? {} : { page: undefined }), ...change }),
      replace: !('open' in change || 'tab' in change),
      resetScroll: false,
    })
  }
  /** Another list begins with nothing looked for, but what is given. */
  const turnTo = (tab: string, change: Change = {}) => void navigate({ search: clean({ tab, ...change }), resetScroll: false })
  return { look, go, turnTo, close: () => go({ open: undefined }) }
}

const clean = (look: Change): Look => Object.fromEntries(Object.entries(look).filter(([, value]) => value)) as Look

export const perPage = 20
export const pageIn = ({ page }: Look): number => (page && /^[1-9]\d{0,4}$/.test(page) ? Number(page) : 1)

/** One of a list of states that the address may name; anything else in it counts for nothing. */
export const oneOf = <Value extends string>(values: readonly Value[], given: string | undefined): Value | undefined =>
  values.find(value => value === given)

/** An id in the address is one, or counts for nothing. */
export const idIn = (given: string | undefined): string | undefined =>
  given && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(given) ? given : undefined
