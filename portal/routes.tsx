import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { paramNames } from '#portal/administration/list-param-names.ts'
import { home } from '#common/session/redirect.ts'
import { readQuery, textParams, writeQuery } from '#portal/kit/list/query-text.ts'
import { callbackPath } from '#common/shell/routes.ts'
import { loadMessages } from '#portal/kit/words.tsx'
import { Failed, NotFound } from '#portal/shell/error-screen.tsx'
import { checkPermission, checkRoute, checkSignedIn, type NavigationTarget } from '#portal/shell/guards.ts'

const root = createRootRoute({
  beforeLoad: checkRoute,
  component: Outlet,
  // These components need a main element of their own, as they are outside the shell.
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
  errorComponent: props => (
    <main>
      <Failed {...props} />
    </main>
  ),
})

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: home, replace: true })
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/auth/sign-in',
  validateSearch: textParams('redirect'),
  component: lazyRouteComponent(() => import('#portal/session/sign-in.tsx'), 'SignIn'),
})
/** The guard of all routes redirects from here. */
const callback = createRoute({ getParentRoute: () => root, path: callbackPath })
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/auth/forgot',
  component: lazyRouteComponent(() => import('#portal/session/links/forgot.tsx'), 'Forgot'),
})
const reset = createRoute({
  getParentRoute: () => root,
  path: '/auth/reset',
  component: lazyRouteComponent(() => import('#portal/session/links/reset.tsx'), 'Reset'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/auth/invitation',
  component: lazyRouteComponent(() => import('#portal/session/links/invitation.tsx'), 'Invitation'),
})
const twoFactor = createRoute({
  getParentRoute: () => root,
  path: '/auth/two-factor',
  validateSearch: textParams('redirect'),
  loader: () => loadMessages('account'),
  component: lazyRouteComponent(() => import('#portal/session/two-factor/two-factor-page.tsx'), 'TwoFactorPage'),
})
const credits = createRoute({
  getParentRoute: () => root,
  path: '/credits',
  loader: () => loadMessages('geography'),
  component: lazyRouteComponent(() => import('#portal/geography/credits.tsx'), 'Credits'),
})

/** Verifies a certificate without signing in. */
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  validateSearch: textParams('number', 'code'),
  loader: () => loadMessages('verify'),
  component: lazyRouteComponent(() => import('#portal/policies/verify-page.tsx'), 'VerifyPage'),
})

/** A policy for its client, opened by the link in an email. */
const myPolicy = createRoute({
  getParentRoute: () => root,
  path: '/my-policy',
  loader: () => loadMessages('client'),
  component: lazyRouteComponent(() => import('#portal/client/my-policy-page.tsx'), 'MyPolicyPage'),
})

/** The saved quotes of a link, for their client. */
const myQuote = createRoute({
  getParentRoute: () => root,
  path: '/my-quote',
  loader: () => loadMessages('link'),
  component: lazyRouteComponent(() => import('#portal/client/quote/my-quote-page.tsx'), 'MyQuotePage'),
})

/** A person's copy of their data, opened in the same way. */
const myData = createRoute({
  getParentRoute: () => root,
  path: '/my-data',
  loader: () => loadMessages('copy'),
  component: lazyRouteComponent(() => import('#portal/client/my-data-page.tsx'), 'MyDataPage'),
})

/** The pages behind the sign-in, inside the shell. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: checkSignedIn,
  component: lazyRouteComponent(() => import('#portal/shell/shell.tsx'), 'Shell'),
})

const guarded = { getParentRoute: () => inside, beforeLoad: checkPermission } as const

const products = createRoute({
  ...guarded,
  path: '/products',
  validateSearch: textParams('product'),
  loader: () => loadMessages('products+line', 'day'),
  component: lazyRouteComponent(() => import('#portal/products-route.tsx'), 'ProductsRoute'),
})

const funnelPage = lazyRouteComponent(() => import('#portal/funnel/funnel-page.tsx'), 'FunnelPage')
const loadFunnelMessages = () => loadMessages('funnel+validation+refusal', 'products+line')
const funnelQuery = textParams('step', 'product', 'copy', 'policy')
const funnelScreen = {
  getParentRoute: () => inside,
  beforeLoad: async (target: NavigationTarget) => {
    checkPermission(target)
    // Loads the rules of a sale with the funnel, so that other pages do not need them.
    const { checkStep } = await import('#portal/funnel/guard.ts')
    checkStep(target)
  },
  validateSearch: funnelQuery,
  loader: loadFunnelMessages,
  component: funnelPage,
} as const
const funnel = createRoute({ ...funnelScreen, path: '/funnel' })
const step1 = createRoute({ ...funnelScreen, path: '/funnel/steps/step1' })
const step2 = createRoute({ ...funnelScreen, path: '/funnel/steps/step2' })
const step3 = createRoute({ ...funnelScreen, path: '/funnel/steps/step3' })

const loadPolicies = () => import('#portal/policies-route.tsx')
const loadPoliciesMessages = () => loadMessages('policies+panel+validation+day')
const policiesQuery = textParams(
  'page',
  'perPage',
  'search',
  'policy',
  'as',
  'desk',
  'next',
  'version',
  'with',
  'from',
  'to',
  'returnFrom',
  'returnTo',
  'status',
  'agent',
  'product',
  'sort',
  'order',
)
const policiesScreen = { ...guarded, validateSearch: policiesQuery, loader: loadPoliciesMessages } as const
const policies = createRoute({ ...policiesScreen, path: '/policies', component: lazyRouteComponent(loadPolicies, 'SoldPage') })
const saved = createRoute({ ...policiesScreen, path: '/policies/saved', component: lazyRouteComponent(loadPolicies, 'SavedPage') })

/** Loads a page together with its first tab. */
async function withFirstTab<Module extends { loadFirstTab: () => Promise<void> }>(page: Promise<Module>): Promise<Module> {
  await (await page).loadFirstTab()
  return page
}

const account = createRoute({
  ...guarded,
  path: '/account',
  validateSearch: textParams('tab'),
  loader: () => loadMessages('agency+account+panel+validation'),
  component: lazyRouteComponent(() => withFirstTab(import('#portal/agency/account-page.tsx')), 'AccountPage'),
})

const loadTickets = () => import('#portal/tickets/tickets-page.tsx')
const loadTicketMessages = () => loadMessages('tickets+upload+panel+validation')
const ticketQuery = textParams('ticket', 'as', 'policy', 'type', 'page', 'search', 'status', 'write')
const claim = createRoute({
  ...guarded,
  path: '/claim',
  validateSearch: ticketQuery,
  loader: loadTicketMessages,
  component: lazyRouteComponent(loadTickets, 'ClaimPage'),
})
const customerService = createRoute({
  ...guarded,
  path: '/customer-service',
  validateSearch: ticketQuery,
  loader: loadTicketMessages,
  component: lazyRouteComponent(loadTickets, 'CustomerServicePage'),
})

const earnings = createRoute({
  ...guarded,
  path: '/earnings',
  validateSearch: textParams(
    'tab',
    'period',
    'by',
    'month',
    'policy',
    'product',
    'agent',
    'way',
    'page',
    'statement',
    'lines',
    'as',
    'report',
  ),
  loader: () => loadMessages('accounting+match+panel+validation'),
  component: lazyRouteComponent(() => import('#portal/earnings-route.tsx'), 'EarningsRoute'),
})

const administration = createRoute({
  ...guarded,
  path: '/administration',
  validateSearch: textParams(...paramNames),
  loader: () => loadMessages('administration+bank+panel+validation'),
  component: lazyRouteComponent(() => withFirstTab(import('#portal/administration/administration-page.tsx')), 'AdministrationPage'),
})

/** The page of all components in every state, in the development server only. */
const devRoutes = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/dev/ui',
        loader: () => loadMessages('panel', 'validation'),
        component: lazyRouteComponent(() => import('#portal/dev/ui-page.tsx'), 'UiPage'),
      }),
    ]
  : []

export const routeTree = root.addChildren([
  index,
  signIn,
  callback,
  forgot,
  reset,
  invitation,
  twoFactor,
  credits,
  verify,
  myPolicy,
  myQuote,
  myData,
  inside.addChildren([products, funnel, step1, step2, step3, policies, saved, account, claim, customerService, earnings, administration]),
  ...devRoutes,
])

export const openRouter = () =>
  createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultErrorComponent: Failed,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    // The key is not the URL, which may contain a search text. The stored positions outlast the session.
    getScrollRestorationKey: ({ state }) => state.__TSR_key ?? 'first',
    parseSearch: readQuery,
    stringifySearch: writeQuery,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>
  }
}
