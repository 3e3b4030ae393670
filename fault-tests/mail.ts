import type { FaultTest, Result } from './fault-test.ts'
import { sell } from '#testing/agent.ts'
import { openMailServer } from '#testing/mailbox.ts'
import { openDeployment } from './harness/deployment.ts'

/** Sends emails under each failure of the mail server. A day later each must have arrived, under one id. */
async function sendInMoods(many: number): Promise<Result> {
  const mailServer = await openMailServer()
  const deployment = await openDeployment({ environment: { SMTP_URL: mailServer.url } })
  for (const mood of ['later', 'drops', 'takes and drops', 'takes'] as const) {
    mailServer.be(mood)
    for (let count = 0; count < many; count++) {
      await sell(deployment.agent)
      await deployment.ask('/api/auth/password/forgot', { body: { email: 'viewer@azahar.example' } })
    }
    await deployment.node().ask('drain')
  }
  mailServer.be('takes')
  for (const minutes of [1, 5, 30, 120, 600]) {
    await deployment.node().ask('clock', minutes * 60_000)
    await deployment.node().ask('drain')
  }
  const [row] = await deployment.sql(`select count(*)::int as mails, count(*) filter (where state <> 'sent')::int as unsent from mails`)
  const jobs = await deployment.sql(`select subscriber, count(*)::int as count from jobs where state <> 'done' group by 1`)
  const ids = new Set(mailServer.received)
  const problems = [
    ...(Number(row?.['unsent']) > 0 ? [`${Number(row?.['unsent'])} emails were not sent`] : []),
    ...(ids.size === Number(row?.['mails']) ? [] : [`${ids.size} emails arrived of ${Number(row?.['mails'])}`]),
    ...jobs.map(job => `${Number(job['count'])} jobs of ${String(job['subscriber'])} are not done`),
  ]
  await deployment.stop()
  await mailServer.stop()
  return {
    counts: { mails: Number(row?.['mails']), arrived: ids.size, 'received twice, under one id': mailServer.received.length - ids.size },
    problems,
  }
}

export const mail: FaultTest[] = [
  {
    id: 'mail',
    title: 'the mail server defers, disconnects, or disconnects after receiving the message',
    invariant: 'every email arrives under one id, and no sale waits for it',
    run: rounds => sendInMoods(rounds(20)),
  },
]
