import type { RoutePath } from '#common/shell/routes.ts'

/** The modules of a page, or groups of them (vite.config.ts), and the features whose messages it shows. */
type PageChunks = { modules: string[]; features: string[] }

/** The group of modules that all pages behind the sign-in share. */
const inside = 'inside'
const signIn: PageChunks = { modules: ['session/sign-in.tsx'], features: [] }
const funnel: PageChunks = {
  modules: [inside, 'sale-rules', 'funnel/funnel-page.tsx'],
  features: ['funnel', 'payments', 'validation', 'refusal'],
}
const policies: PageChunks = { modules: [inside, 'policies-route.tsx'], features: ['policies', 'panel', 'validation'] }
const products: PageChunks = { modules: [inside, 'products-route.tsx'], features: ['products', 'line'] }
const tickets: PageChunks = { modules: [inside, 'tickets/tickets-page.tsx'], features: ['tickets', 'panel', 'validation'] }

/**
 * The chunks that routes.tsx loads for each page.
 *
 * The build finds their files (tools/build-portal.ts), and the service names these in the page's HTML.
 */
export const pageChunks: Record<RoutePath, PageChunks> = {
  '/': products,
  '/products': products,
  '/funnel': funnel,
  '/funnel/steps/step1': funnel,
  '/funnel/steps/step2': { ...funnel, modules: [...funnel.modules, 'funnel/people/people-step.tsx'] },
  '/funnel/steps/step3': { ...funnel, modules: [...funnel.modules, 'funnel/payment/payment-step.tsx'] },
  '/policies': policies,
  '/policies/saved': policies,
  '/account': {
    modules: [inside, 'agency/account-page.tsx', 'agency/profile/agency-profile.tsx'],
    features: ['agency', 'account', 'validation'],
  },
  '/claim': tickets,
  '/customer-service': tickets,
  '/earnings': { modules: [inside, 'earnings-route.tsx'], features: ['accounting', 'match', 'panel', 'validation'] },
  '/administration': {
    modules: [inside, 'administration/administration-page.tsx', 'administration/units/units-tab.tsx'],
    features: ['administration', 'bank', 'panel', 'privacy', 'validation'],
  },
  '/credits': { modules: ['geography/credits.tsx'], features: ['geography'] },
  '/verify': { modules: ['policies/verify-page.tsx'], features: ['verify'] },
  '/my-policy': { modules: ['client/my-policy-page.tsx'], features: ['client'] },
  '/my-data': { modules: ['client/my-data-page.tsx'], features: ['copy'] },
  '/auth/sign-in': signIn,
  '/auth/callback': products,
  '/auth/forgot': { modules: ['session/links/forgot.tsx'], features: [] },
  '/auth/reset': { modules: ['session/links/reset.tsx'], features: [] },
  '/auth/invitation': { modules: ['session/links/invitation.tsx'], features: [] },
  '/auth/two-factor': { modules: ['session/two-factor/two-factor-page.tsx'], features: ['account'] },
}
