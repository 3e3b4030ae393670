import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet,
  redirect,
  useLocation,
} from '@tanstack/react-router'
import { home, safeRedirect } from '#common/session/redirect.ts'
import { openSession } from '#common/session/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { useWords, wordsOf } from '#portal/kit/words.tsx'
import { Forgot } from '#portal/session/forgot.tsx'
import { Reset } from '#portal/session/reset.tsx'
import { sessionQuery } from '#portal/session/session.ts'
import { leaveFor, signsInElsewhere } from '#portal/session/elsewhere.ts'
import { SignIn } from '#portal/session/sign-in.tsx'
import { ErrorScreen } from '#portal/shell/error-screen.tsx'

export type Context = { queries: QueryClient }

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound, errorComponent: Failed })

function NotFound() {
  const { words } = useWords()
  const { pathname } = useLocation()
  return <ErrorScreen status={404} message={words('shell.not_found', { path: pathname })} />
}

function Failed({ error }: ErrorComponentProps) {
  return <ErrorScreen status={500} message={error instanceof Error ? error.message || undefined : undefined} />
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: home })
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/auth/sign-in',
  validateSearch: (search): { redirect?: string } => {
    const wanted = text(search['redirect'])
    return wanted ? { redirect: wanted } : {}
  },
  component: SignIn,
})

/** Exchanges the one-time token for a session, and leaves an address behind that holds none. */
const callback = createRoute({
  getParentRoute: () => root,
  path: '/auth/callback',
  beforeLoad: async ({ location, context }) => {
    const search = location.search as Record<string, unknown>
    const opened = await ask(openSession, { token: text(search['token']) ?? '' }).catch(() => undefined)
    context.queries.clear()
    if (!opened) throw redirect({ to: '/auth/sign-in', search: {}, replace: true })
    const target = safeRedirect(search['redirect'], window.location.origin)
    throw redirect({ href: target, replace: true })
  },
})

const forgot = createRoute({ getParentRoute: () => root, path: '/auth/forgot', component: Forgot })
const reset = createRoute({ getParentRoute: () => root, path: '/auth/reset', component: Reset })

/** What only the signed-in see: the token is checked at every navigation. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    const user = await context.queries.ensureQueryData(sessionQuery)
    if (!user && signsInElsewhere()) return leaveFor(location.href)
    if (!user) throw redirect({ to: '/auth/sign-in', search: location.href === home ? {} : { redirect: location.href } })
  },
})

const products = createRoute({
  getParentRoute: () => inside,
  path: '/products',
  component: lazyRouteComponent(() => import('#portal/products/products-page.tsx'), 'ProductsPage'),
})

const credits = createRoute({
  getParentRoute: () => root,
  path: '/credits',
  loader: () => wordsOf('geography'),
  component: lazyRouteComponent(() => import('#portal/geography/credits.tsx'), 'Credits'),
})

/** All components in every state; only where the portal is being made. */
const parts = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/dev/ui',
        loader: () => wordsOf('validation'),
        component: lazyRouteComponent(() => import('#portal/dev/ui-page.tsx'), 'UiPage'),
      }),
    ]
  : []

export const openRouter = (context: Context) =>
  createRouter({
    routeTree: root.addChildren([index, signIn, callback, forgot, reset, credits, inside.addChildren([products]), ...parts]),
    context,
    defaultPreload: 'intent',
    // The router's own reader of addresses turns a token that is all digits into a number.
    parseSearch: search => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: search => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined)
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
      return query ? `?${query}` : ''
    },
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>
  }
}
