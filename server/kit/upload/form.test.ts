import { expect, test } from 'vitest'
import { dataUrl, pngOf } from '#server/agency/logo/testing.ts'
import { testApp } from '#server/kit/testing.ts'
import { openWorkers } from '#server/kit/workers/workers.ts'
import { signIn } from '#server/session/testing.ts'
import { aPdf, sendForm } from '#server/tickets/testing.ts'

test('a file, logo or mail that exceeds the limits of its thread is refused', async () => {
  const mails = { INBOUND_MAIL_ADDRESS: 'tickets@in.portolan.example', INBOUND_MAIL_SECRET: 'a secret of the provider' }
  // No thread is ready within a millisecond, so every task exceeds the limit.
  const app = await testApp(mails, {
    workers: openWorkers({ threads: 2, waiting: 64, ofOne: 8, taskMs: 1, idleMs: 1000, heapMegabytes: 256 }),
  })
  try {
    const agent = await signIn(app, 'agent@azahar.example')
    const manager = await signIn(app, 'manager@azahar.example')
    const file = await sendForm(app, agent, '/api/tickets/files', {}, [aPdf])
    expect([file.status, file.body.fields]).toEqual([
      422,
      [{ path: 'files[0]', rule: 'file', message: expect.stringContaining('tarda demasiado en comprobarse') }],
    ])
    const logo = await app.ask('/api/agency', { method: 'PUT', body: { logo: dataUrl(pngOf()) }, headers: manager.headers })
    expect([logo.status, logo.body.fields[0].path]).toEqual([422, 'logo'])
    const authorization = `Bearer ${mails.INBOUND_MAIL_SECRET}`
    const mail = await app.ask('/api/tickets/mail', { body: { MessageID: 'm', From: 'a@b.example' }, headers: { authorization } })
    expect([mail.status, mail.body.error]).toEqual([413, 'request.too_large'])
  } finally {
    await app.stop()
  }
})
