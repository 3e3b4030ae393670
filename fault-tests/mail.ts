import type { FaultTest, Result } from './fault-test.ts'
import { sell } from './harness/agent.ts'
import { openMailServer } from './harness/mailbox.ts'
import { openDeployment } from './harness/deployment.ts'

/** Mails are asked for in each mood; a day later every one of them has arrived, under one id each. */
async function moods(many: number): Promise<Result> {
  const post = await openMailServer()
  const deployment = await openDeployment({ environment: { SMTP_URL: post.url } })
  for (const mood of ['later', 'drops', 'takes and drops', 'takes'] as const) {
    post.be(mood)
    for (let count = 0; count < many; count++) {
      await sell(deployment.agent)
      await deployment.ask('/api/auth/password/forgot', { body: { email: 'viewer@azahar.example' } })
    }
    await deployment.node().ask('drain')
  }
  post.be('takes')
  for (const minutes of [1, 5, 30, 120, 600]) {
    await deployment.node().ask('clock', minutes * 60_000)
    await deployment.node().ask('drain')
  }
  const [row] = await deployment.sql(`select count(*)::int as mails, count(*) filter (where state <> 'sent')::int as unsent from mails`)
  const jobs = await deployment.sql(`select subscriber, count(*)::int as count from jobs where state <> 'done' group by 1`)
  const ids = new Set(post.taken)
  const faults = [
    ...(Number(row?.['unsent']) > 0 ? [`${Number(row?.['unsent'])} mails were not sent`] : []),
    ...(ids.size === Number(row?.['mails']) ? [] : [`${ids.size} mails arrived of ${Number(row?.['mails'])}`]),
    ...jobs.map(job => `${Number(job['count'])} jobs of ${String(job['subscriber'])} are not done`),
  ]
  await deployment.stop()
  await post.stop()
  return {
    counts: { mails: Number(row?.['mails']), arrived: ids.size, 'taken twice by the server, under one id': post.taken.length - ids.size },
    faults,
  }
}

export const mail: FaultTest[] = [
  {
    id: 'mail',
    title: 'the mail server puts off, hangs up, or hangs up having taken the message',
    invariant: 'every mail arrives, under one id; no sale waits for it',
    run: rounds => moods(rounds(20)),
  },
]
