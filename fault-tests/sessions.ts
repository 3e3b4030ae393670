import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startCardNetwork } from '#fakes/card-network/start.ts'
import { hashToken, mintToken, unitToken } from '#server/session/tokens.ts'
import { type FaultTest, random, type Result } from './fault-test.ts'
import { type Ask, asker, signIn } from '#testing/agent.ts'
import { settingsFor } from './harness/deployment.ts'
import { type Postgres, startPostgres } from '#testing/postgres.ts'
import { startService } from '#testing/service.ts'
import { until } from '#tools/until.ts'

type Session = { headers: Record<string, string> }

const graceMs = 100
const atOnce = 8
const path = '/api/business-unit/settings'

/** Signs users out at one node and calls the other with their sessions. Its connection for notifications is cut repeatedly. */
async function signedOutElsewhere(many: number): Promise<Result> {
  const [postgres, network] = await Promise.all([startPostgres(), startCardNetwork()])
  const environment = { ...settingsFor(network), DATABASE_URL: postgres.url(), FILE_STORE: `file:${join(postgres.folder, 'files')}` }
  const start = () => startService({ program: 'testing/node.ts', environment })
  const nodes = [await start(), await start()] as const
  // Safe: there are two nodes.
  const [here, there] = nodes.map(({ origin }) => asker(() => origin)) as [Ask, Ask]
  const sessions = await openSessions(postgres, here, many)
  const counts = { 'signed out': 0, 'known to the other node': 0, cuts: 0, 'accepted at once': 0, 'accepted 100 ms later': 0 }
  const problems: string[] = []
  await untilHeard(there)
  await nodes[1].ask('record')

  async function signOut(session: Session): Promise<void> {
    for (const _ of [1, 2]) if ((await there(path, session)).status !== 200) problems.push('a session was refused before it ended')
    const { status } = await here('/api/auth/session', { method: 'DELETE', ...session })
    if (status !== 200) return void problems.push(`a sign-out was answered ${status}`)
    counts['signed out'] += 1
    if ((await there(path, session)).status === 200) counts['accepted at once'] += 1
    await delay(graceMs)
    if ((await there(path, session)).status === 200) counts['accepted 100 ms later'] += 1
  }

  for (let done = 0; done < many; done += atOnce) {
    const some = sessions.slice(done, done + atOnce)
    const cutting = (done / atOnce) % 5 === 4 ? cutOff(postgres) : Promise.resolve(0)
    await Promise.all(some.map(signOut))
    counts.cuts += await cutting
  }
  const reads = (await nodes[1].ask('recorded')).filter(({ text }) => /from "sessions"/.test(text)).length
  // Each session was called four times. Those that were not read from the database were cached.
  counts['known to the other node'] = 4 * many - reads
  await untilHeard(there).catch(() => problems.push('the other node does not hear notices any more'))
  if (counts['accepted 100 ms later'] > 0) problems.push(`${counts['accepted 100 ms later']} calls were accepted after the sign-out`)
  if (counts['known to the other node'] < many / 10) problems.push('hardly any session was known, so that nothing was tried')
  for (const node of nodes) await node.stop()
  await network.stop()
  await postgres.remove()
  return { counts, problems }
}

/** Opens sessions of one user by SQL, because signing in is slow on purpose. */
async function openSessions(postgres: Postgres, ask: Ask, many: number): Promise<Session[]> {
  const agent = await signIn(ask, 'agent@azahar.example')
  const tokens = Array.from({ length: many }, mintToken)
  const rows = tokens.map(
    token => `('${randomUUID()}', '${agent.user.uuid}', '\\x${hashToken(token).toString('hex')}', '127.0.0.1', '', now(), now())`,
  )
  await postgres.query(
    `insert into sessions (id, user_id, token_hash, network, user_agent, created_at, last_seen_at) values ${rows.join(', ')}`,
  )
  return tokens.map(token => ({ headers: { authorization: `Bearer ${token}`, 'x-bunit-token': unitToken(token, agent.unitId) } }))
}

/** Cuts the connections on which both nodes receive notifications. Returns their number. */
async function cutOff(postgres: Postgres): Promise<number> {
  await delay(random(0, graceMs))
  const cut = await postgres.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_listening_channels%' and pid <> pg_backend_pid()`,
  )
  return cut.length
}

async function untilHeard(ask: Ask): Promise<void> {
  await until('a node that hears notices', async () => /^portolan_notices_heard 1$/m.test((await ask('/metrics')).text))
}

export const sessions: FaultTest[] = [
  {
    id: 'signed-out-elsewhere',
    title: 'users sign out at one of two nodes, whose connections for notices are cut off again and again',
    invariant: '100 ms after a sign-out, the other node accepts no call of the session',
    needs: 'PostgreSQL',
    run: rounds => signedOutElsewhere(rounds(1000)),
  },
]
