import type { Role } from '#common/session/roles.ts'
import type { Scope } from '#server/kit/scope.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { TestApp, TestReply } from '#server/kit/testing.ts'
import { scopeOf } from './scope.ts'

export type SignedIn = { accessToken: string; cookie: string; headers: Record<string, string>; user: TestReply['body'] }

export const demoPassword = 'portolan-demo'

/** Returns the scope of a unit of the demo. */
export const demoScope = (key: 'azahar' | 'rotta'): Scope => scopeOf(stableId('business-unit', key))

export const cookiesOf = (reply: TestReply): Record<string, string> =>
  Object.fromEntries(
    [reply.headers['set-cookie'] ?? []].flat().map((cookie: string) => {
      const [pair = ''] = cookie.split(';')
      return [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    }),
  )

/** Returns a response's cookies as a browser sends them back, without the deleted ones. */
const sentBack = (reply: TestReply): string =>
  Object.entries(cookiesOf(reply))
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

/** Begins a sign-in. Returns the callback's token and the browser's cookie. */
export async function begin(app: TestApp, email: string, password = demoPassword, redirect?: unknown) {
  const reply = await app.ask('/api/auth/login', { body: { email, password, ...(redirect === undefined ? {} : { redirect }) } })
  const callback: string = reply.body?.data?.callback ?? ''
  const query = new URLSearchParams(callback.split('?')[1])
  return { reply, callback, token: query.get('token') ?? '', flow: cookiesOf(reply)['flow'] ?? '', query }
}

/** Signs a demo user in as a browser does. The headers are an integrator's, for the named unit or the first. */
export async function signIn(app: TestApp, email: string, unit?: string): Promise<SignedIn> {
  const started = await begin(app, email)
  const reply = await app.ask('/api/auth/session', { body: { token: started.token }, headers: { cookie: sentBack(started.reply) } })
  const { accessToken, user } = reply.body.data
  const chosen = user.businessUnits.find((each: { name: string }) => each.name === unit) ?? user.businessUnits[0]
  const headers = { authorization: `Bearer ${accessToken}`, 'x-bunit-token': chosen?.token ?? '' }
  return { accessToken, user, headers, cookie: sentBack(reply) }
}

/** Gives the user these roles in all their units. */
export async function giveRoles(app: TestApp, email: string, roles: Role[]): Promise<void> {
  const { kysely } = app.world.database
  const { id } = await kysely.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  await kysely.updateTable('memberships').set({ roles }).where('user_id', '=', id).execute()
}

/** Returns an action's audit entries, oldest first. The order is explicit, as restored databases reuse space. */
/** Returns how often an action was refused and counted in the audit, by its reason. */
export async function countedRefusals(app: TestApp, action: string): Promise<Record<string, number>> {
  const rows = await app.world.database.asService(tx =>
    tx.selectFrom('audit_repeats').select(['reason', 'times']).where('action', '=', action).execute(),
  )
  const counted: Record<string, number> = {}
  for (const { reason, times } of rows) counted[reason] = (counted[reason] ?? 0) + times
  return counted
}

export const auditRows = (app: TestApp, action: string) =>
  app.world.database.asService(tx => tx.selectFrom('audit').selectAll().where('action', '=', action).orderBy('at').orderBy('id').execute())
