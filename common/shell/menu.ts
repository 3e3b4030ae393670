import { may, type Permission } from '#common/kit/permissions.ts'
import { mayOpen, type RoutePath } from './routes.ts'

type MenuEntry = { to: RoutePath; label: `shell.menu.${string}`; icon: string }
type MenuGroup = { label: `shell.menu.${string}`; entries: readonly MenuEntry[] }

/** The navigation menu of spec 2, in its order. */
const menu = [
  { to: '/', label: 'shell.menu.home', icon: 'home' },
  {
    label: 'shell.menu.insurance_area',
    entries: [
      { to: '/products', label: 'shell.menu.insurances', icon: 'shield' },
      { to: '/policies/saved', label: 'shell.menu.budget', icon: 'bookmark' },
      { to: '/policies', label: 'shell.menu.policies', icon: 'receipt' },
    ],
  },
  { to: '/account', label: 'shell.menu.account', icon: 'building' },
  {
    label: 'shell.menu.management',
    entries: [
      { to: '/claim', label: 'shell.menu.claims', icon: 'alert-circle' },
      { to: '/customer-service', label: 'shell.menu.customer_service', icon: 'lifebuoy' },
      // Not in the specification: visible with b2b-accounting-view only.
      { to: '/earnings', label: 'shell.menu.earnings', icon: 'rows' },
    ],
  },
  // Not in the specification: visible to b2b-admin only.
  { to: '/administration', label: 'shell.menu.administration', icon: 'settings' },
] as const satisfies readonly (MenuEntry | MenuGroup)[]

/** spec 6: every menu route needs any one of them. */
const permitted: readonly Permission[] = ['b2b-admin', 'b2b-access', 'b2b-products-sell']

type Group = Extract<(typeof menu)[number], { entries: unknown }>
export type ShownEntry = Extract<(typeof menu)[number], { to: unknown }> | Group['entries'][number]
export type ShownMenu = (ShownEntry | { label: Group['label']; entries: ShownEntry[] })[]

/** True if the sidebar shows its only entry, the funnel (spec 2). Without the permission to sell, it would lead to a page without products. */
export const showsFunnel = (granted: readonly string[]): boolean => mayOpen(granted, '/funnel') && may(granted, 'b2b-products-sell')

/** Returns the menu for these permissions, without empty groups. */
export function menuFor(granted: readonly string[]): ShownMenu {
  if (!permitted.some(permission => may(granted, permission))) return []
  return menu.flatMap((item): ShownMenu => {
    if ('to' in item) return mayOpen(granted, item.to) ? [item] : []
    const all: readonly ShownEntry[] = item.entries
    const entries = all.filter(({ to }) => mayOpen(granted, to))
    return entries.length > 0 ? [{ label: item.label, entries }] : []
  })
}
