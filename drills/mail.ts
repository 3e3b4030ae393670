import { SMTPServer } from 'smtp-server'
import type { Drill, Result } from './drill.ts'
import { type Json, sell } from './rig/agent.ts'
import { openShop } from './rig/shop.ts'

type Mood = 'takes' | 'later' | 'drops' | 'takes and drops'

/** A mail server with moods; what it has taken, by the message's own id. */
async function openMailServer() {
  const taken: string[] = []
  let mood: Mood = 'takes'
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo(_address, _session, done) {
      if (mood === 'later') return done(Object.assign(new Error('try again later'), { responseCode: 451 }))
      if (mood === 'drops') return hangUp()
      done()
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        taken.push(/^Message-ID: (.+)$/im.exec(Buffer.concat(chunks).toString())?.[1]?.trim() ?? '')
        // It has the message, but the line is gone before it says so.
        if (mood === 'takes and drops') return hangUp()
        done()
      })
    },
  }) as SMTPServer & { connections: Set<Json> }
  const hangUp = () => {
    for (const one of server.connections) one.close()
  }
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  return {
    url: `smtp://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
    taken,
    be: (now: Mood) => (mood = now),
    stop: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

/** Mails are asked for in each mood; a day later every one of them has arrived, under one id each. */
async function moods(many: number): Promise<Result> {
  const post = await openMailServer()
  const shop = await openShop({ environment: { SMTP_URL: post.url } })
  for (const mood of ['later', 'drops', 'takes and drops', 'takes'] as const) {
    post.be(mood)
    for (let count = 0; count < many; count++) {
      await sell(shop.agent)
      await shop.ask('/api/auth/password/forgot', { body: { email: 'viewer@azahar.example' } })
    }
    await shop.node().ask('drain')
  }
  post.be('takes')
  for (const minutes of [1, 5, 30, 120, 600]) {
    await shop.node().ask('clock', minutes * 60_000)
    await shop.node().ask('drain')
  }
  const [row] = await shop.sql(`select count(*)::int as mails, count(*) filter (where state <> 'sent')::int as unsent from mails`)
  const jobs = await shop.sql(`select subscriber, count(*)::int as count from jobs where state <> 'done' group by 1`)
  const ids = new Set(post.taken)
  const faults = [
    ...(Number(row?.['unsent']) > 0 ? [`${Number(row?.['unsent'])} mails were not sent`] : []),
    ...(ids.size === Number(row?.['mails']) ? [] : [`${ids.size} mails arrived of ${Number(row?.['mails'])}`]),
    ...jobs.map(job => `${Number(job['count'])} jobs of ${String(job['subscriber'])} are not done`),
  ]
  await shop.stop()
  await post.stop()
  return {
    counts: { mails: Number(row?.['mails']), arrived: ids.size, 'taken twice by the server, under one id': post.taken.length - ids.size },
    faults,
  }
}

export const mail: Drill[] = [
  {
    id: 'mail',
    title: 'the mail server puts off, hangs up, or hangs up having taken the message',
    invariant: 'every mail arrives, under one id; no sale waits for it',
    run: rounds => moods(rounds(20)),
  },
]
