import type { RoutePath } from '#common/shell/routes.ts'

/** A page's modules, or groups of them (vite.config.ts), and its file of messages, named by features. */
type PageChunks = { modules: string[]; words: string[] }

/** The groups of modules that all pages behind the sign-in share: those for the first response, and the frame. */
const inside = ['first-reply', 'inside']
const signIn: PageChunks = { modules: ['session/sign-in.tsx'], words: [] }
const funnel: PageChunks = {
  modules: [...inside, 'sale-rules', 'funnel/funnel-page.tsx', 'funnel/quote/offers.tsx'],
  words: ['funnel+validation+refusal', 'products+line', 'quote', 'compare'],
}
const policies: PageChunks = { modules: [...inside, 'policies-route.tsx'], words: ['policies+panel+validation+day'] }
const products: PageChunks = { modules: [...inside, 'products-route.tsx'], words: ['products+line', 'day'] }
const tickets: PageChunks = { modules: [...inside, 'tickets/tickets-page.tsx'], words: ['tickets+upload+panel+validation'] }

/**
 * The chunks that routes.tsx loads for each page. The build finds their files (tools/build-portal.ts), and the service names these in the page's
 * HTML.
 */
export const pageChunks: Record<RoutePath, PageChunks> = {
  '/': products,
  '/products': products,
  '/funnel': funnel,
  '/funnel/steps/step1': funnel,
  '/funnel/steps/step2': { ...funnel, modules: [...funnel.modules, 'funnel/people/people-step.tsx'] },
  '/funnel/steps/step3': {
    modules: [...funnel.modules, 'funnel/payment/payment-step.tsx'],
    words: [...funnel.words, 'payments'],
  },
  '/policies': policies,
  '/policies/saved': policies,
  '/account': {
    modules: [...inside, 'agency/account-page.tsx', 'agency/profile/agency-profile.tsx'],
    words: ['agency+account+panel+validation'],
  },
  '/claim': tickets,
  '/customer-service': tickets,
  '/earnings': { modules: [...inside, 'earnings-route.tsx'], words: ['accounting+match+panel+validation'] },
  '/administration': {
    modules: [...inside, 'administration/administration-page.tsx', 'administration/units/units-tab.tsx'],
    words: ['administration+bank+panel+validation'],
  },
  '/credits': { modules: ['geography/credits.tsx'], words: ['geography'] },
  '/verify': { modules: ['policies/verify-page.tsx'], words: ['verify'] },
  '/my-policy': { modules: ['client/my-policy-page.tsx'], words: ['client'] },
  '/my-quote': { modules: ['quote'], words: ['link'] },
  '/my-data': { modules: ['client/my-data-page.tsx'], words: ['copy'] },
  '/auth/sign-in': signIn,
  '/auth/callback': products,
  '/auth/forgot': { modules: ['session/links/forgot.tsx'], words: [] },
  '/auth/reset': { modules: ['session/links/reset.tsx'], words: [] },
  '/auth/invitation': { modules: ['session/links/invitation.tsx'], words: [] },
  '/auth/two-factor': { modules: ['session/two-factor/two-factor-page.tsx'], words: ['account'] },
}
