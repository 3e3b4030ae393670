import type { RoutePath } from '#common/shell/routes.ts'

/** What a page is made of besides what every page needs: modules of the portal, or groups of them (vite.config.ts), and the rooms of its words. */
export type Parts = { modules: string[]; rooms: string[] }

/** What all pages of the signed-in share. */
const inside = 'inside'
const signIn: Parts = { modules: ['session/sign-in.tsx'], rooms: [] }
const funnel: Parts = { modules: [inside, 'funnel/guard.ts', 'funnel/funnel-page.tsx'], rooms: ['funnel', 'validation', 'refusal'] }
const policies: Parts = { modules: [inside, 'policies/policies-page.tsx'], rooms: ['policies', 'validation'] }
const products: Parts = { modules: [inside, 'products/products-page.tsx'], rooms: ['products'] }
const tickets: Parts = { modules: [inside, 'tickets/tickets-page.tsx'], rooms: ['tickets', 'validation'] }

/** What routes.tsx asks for when a page is opened. The build works out which files these are (tools/build-portal.ts), and the service names them in the page itself. */
export const partsOf: Record<RoutePath, Parts> = {
  '/': products,
  '/products': products,
  '/funnel': funnel,
  '/funnel/steps/step1': funnel,
  '/funnel/steps/step2': funnel,
  '/funnel/steps/step3': funnel,
  '/policies': policies,
  '/policies/saved': policies,
  '/account': {
    modules: [inside, 'agency/account-page.tsx', 'agency/profile/agency-profile.tsx'],
    rooms: ['agency', 'account', 'validation'],
  },
  '/claim': tickets,
  '/customer-service': tickets,
  '/administration': {
    modules: [inside, 'administration/administration-page.tsx', 'administration/units/units-tab.tsx'],
    rooms: ['administration', 'validation'],
  },
  '/credits': { modules: ['geography/credits.tsx'], rooms: ['geography'] },
  '/verify': { modules: ['policies/verify-page.tsx'], rooms: ['documents'] },
  '/auth/sign-in': signIn,
  '/auth/callback': products,
  '/auth/forgot': { modules: ['session/links/forgot.tsx'], rooms: [] },
  '/auth/reset': { modules: ['session/links/reset.tsx'], rooms: [] },
  '/auth/invitation': { modules: ['session/links/invitation.tsx'], rooms: [] },
  '/auth/two-factor': { modules: ['session/two-factor/two-factor-page.tsx'], rooms: ['account'] },
}
