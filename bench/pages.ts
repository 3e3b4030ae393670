const agent = 'agent@azahar.example'

/**
 * A page with its user and its maximum kB of compressed script and style (docs/decisions/0020-first-load.md). Without a user it is a page for
 * signed-out visitors.
 */
export type MeasuredPage = { name: string; path: string; limit: number; email?: string }

export const pages: readonly MeasuredPage[] = [
  { name: 'sign-in', path: '/auth/sign-in', limit: 110 },
  { name: 'forgotten password', path: '/auth/forgot', limit: 110 },
  { name: 'new password', path: '/auth/reset#token=none', limit: 110 },
  { name: 'invitation', path: '/auth/invitation#token=none', limit: 110 },
  { name: 'verify', path: '/verify', limit: 111 },
  { name: 'my policy', path: '/my-policy', limit: 113 },
  { name: 'my quote', path: '/my-quote', limit: 110 },
  { name: 'my data', path: '/my-data#none', limit: 112 },
  { name: 'credits', path: '/credits', limit: 170 },
  { name: 'products', path: '/products', limit: 150, email: agent },
  { name: 'funnel', path: '/funnel', limit: 190, email: agent },
  { name: 'policies', path: '/policies', limit: 170, email: agent },
  { name: 'saved quotes', path: '/policies/saved', limit: 170, email: agent },
  { name: 'claims', path: '/claim', limit: 170, email: agent },
  { name: 'customer service', path: '/customer-service', limit: 170, email: agent },
  { name: 'account', path: '/account', limit: 170, email: agent },
  { name: 'earnings', path: '/earnings', limit: 170, email: 'accounts@azahar.example' },
  { name: 'administration', path: '/administration', limit: 170, email: 'admin@portolan.example' },
]
