import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Mailbox, type Mood, openMailbox } from '#fakes/mailbox.ts'
import { mailboxCertificate } from '#fakes/mailbox-certificate.ts'
import { PermanentFailure } from '#server/kit/work/outbox.ts'
import { type Outgoing, openTransport, type Transport } from './transport.ts'

const MAIL_FROM = 'Portolan <no-reply@portolan.example>'
const mail: Outgoing = {
  id: '01a1fd56-68c8-72f9-87fe-afa7400c9b5f',
  at: new Date('2026-11-20T10:00:00Z'),
  brand: { name: 'Viajes Azahar', address: 'hola@azahar.example' },
  to: { name: 'Íñigo "Pepe" García, S.L.', address: 'inigo@client.example' },
  subject: 'Su póliza',
  text: 'Hola',
  html: '<p>Hola</p>',
  attachments: [],
}

let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await openMailbox()
})
afterEach(() => {
  mailbox.be('take')
  mailbox.received.length = 0
})
afterAll(() => mailbox.close())

const transportTo = (url: string, timeoutMs?: number) => openTransport({ SMTP_URL: url, MAIL_FROM }, timeoutMs)
const sendBy = (transport: Transport, changes: Partial<Outgoing> = {}) => transport.send({ ...mail, ...changes }).finally(transport.close)
const send = (changes: Partial<Outgoing> = {}, timeoutMs?: number) => sendBy(transportTo(mailbox.url, timeoutMs), changes)
const headersOf = (raw = '') =>
  raw
    .slice(0, raw.indexOf('\r\n\r\n'))
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
const headers = () => headersOf(mailbox.received[0]?.raw)
const outcomeOf = async (sending: Promise<void>) =>
  sending.then(
    () => 'sent',
    (error: unknown) => (error instanceof PermanentFailure ? 'for good' : 'for now'),
  )

test('a message has one recipient, and the unit’s name with the service’s address', async () => {
  await send()
  expect(mailbox.received).toMatchObject([{ from: 'no-reply@portolan.example', to: ['inigo@client.example'] }])
  expect(headers()).toEqual(
    expect.arrayContaining([
      'From: Viajes Azahar <no-reply@portolan.example>',
      'Reply-To: Viajes Azahar <hola@azahar.example>',
      'Message-ID: <01a1fd56-68c8-72f9-87fe-afa7400c9b5f@portolan.example>',
      'Date: Fri, 20 Nov 2026 10:00:00 +0000',
      'Auto-Submitted: auto-generated',
    ]),
  )
  expect(headers().find(line => line.startsWith('To:'))).toMatch(/<inigo@client\.example>$/)
  expect(headers().join('\n')).toMatch(/^Content-Type: multipart\/alternative/m)
})

describe('a connection to the mail server', () => {
  let transport: Transport
  beforeEach(() => {
    transport = transportTo(mailbox.url)
  })
  afterEach(() => transport.close())

  test('carries one email after another', async () => {
    const before = mailbox.connections()
    for (const id of ['one', 'two', 'three']) await transport.send({ ...mail, id })
    expect(mailbox.received).toHaveLength(3)
    expect(mailbox.connections() - before).toBe(1)
  })

  test('is replaced once the server has closed it', async () => {
    await transport.send(mail)
    mailbox.hangUp()
    await transport.send({ ...mail, id: 'next' })
    expect(mailbox.received).toHaveLength(2)
  })

  test('carries the next email after one that was refused', async () => {
    mailbox.be('refuse-recipient')
    expect(await outcomeOf(transport.send(mail))).toBe('for good')
    mailbox.be('take')
    expect(await outcomeOf(transport.send(mail))).toBe('sent')
    expect(mailbox.received).toHaveLength(1)
  })
})

describe('an error of the mail server', () => {
  test.each<[Mood, string]>([
    ['refuse-recipient', 'for good'],
    ['refuse-for-good', 'for good'],
    ['refuse-size', 'for good'],
    ['refuse-recipient-now', 'for now'],
    ['refuse-now', 'for now'],
    ['refuse-connection', 'for now'],
    ['refuse-sender', 'for now'],
    ['drop-after-data', 'for now'],
  ])('after %s fails %s', async (mood, outcome) => {
    mailbox.be(mood)
    expect(await outcomeOf(send())).toBe(outcome)
  })

  test('is reported in the server’s words', async () => {
    mailbox.be('refuse-recipient')
    await expect(send()).rejects.toThrow(/^550 .*no such mailbox here/)
  })

  test('about our password is temporary', async () => {
    const guarded = await openMailbox({ user: 'portal' })
    const url = guarded.url.replace('//', '//portal:p%40ss@')
    guarded.be('refuse-password')
    expect(await outcomeOf(sendBy(transportTo(url)))).toBe('for now')
    guarded.be('take')
    expect(await outcomeOf(sendBy(transportTo(url)))).toBe('sent')
    await guarded.close()
  })

  test('is temporary if the server is not running', async () => {
    expect(await outcomeOf(sendBy(transportTo('smtp://127.0.0.1:1')))).toBe('for now')
  })

  test('is temporary if the server accepts the message but does not respond', async () => {
    mailbox.be('say-nothing')
    expect(await outcomeOf(send({}, 100))).toBe('for now')
    expect(mailbox.received).toEqual([])
  })
})

describe('hostile input', () => {
  // attack case D58
  test.each(['a@x.test\r\nBcc: e@e.test', 'a@x.test, e@e.test', 'g:e1@e.test,e2@e.test;', 'Ana <a@x.test>', ''])(
    'is not sent to the address %j',
    async address => {
      expect(await outcomeOf(send({ to: { name: 'Ana', address } }))).toBe('for good')
      expect(mailbox.received).toEqual([])
    },
  )

  test.each(['e@e.test', 'E <e@e.test>', 'Ana" <e@e.test>, "', 'Ana\r\nBcc: e@e.test', 'g: e@e.test;'])(
    'in a name does not change the recipient: %j',
    async name => {
      await send({ to: { name, address: 'ana@client.example' }, brand: { name, address: 'hola@azahar.example' } })
      expect(mailbox.received.map(({ from, to }) => [from, to])).toEqual([['no-reply@portolan.example', ['ana@client.example']]])
    },
  )

  // attack case D59
  test('with line breaks in subject, brand or file name adds no header', async () => {
    const broken = 'x\r\nBcc: e@e.test\r\n\r\n<b>body</b>'
    await send({
      subject: broken,
      brand: { name: broken, address: 'hola@azahar.example' },
      attachments: [{ filename: `${broken}.pdf`, contentType: 'application/pdf\r\nBcc: e@e.test', content: Buffer.from('%PDF') }],
    })
    const raw = mailbox.received[0]?.raw ?? ''
    expect(raw).not.toMatch(/^Bcc:/im)
    expect(raw).toMatch(/filename/)
    expect(raw).not.toMatch(/%0[ad]/i)
    expect(headers().filter(line => /^(?:Subject|From|To|Reply-To|Bcc|Cc):/i.test(line))).toHaveLength(4)
  })
})

describe('a remote mail server', () => {
  // 0.0.0.0 is not among the loopback names, but leads to this machine.
  const elsewhere = (port: number) => sendBy(transportTo(`smtp://0.0.0.0:${port}?ignoreTLS=true&requireTLS=false`))

  test('gets no email without encryption', async () => {
    expect(await outcomeOf(elsewhere(mailbox.port))).toBe('for now')
    expect(mailbox.received).toEqual([])
  })

  test('gets email only with a trusted certificate', async () => {
    const server = await openMailbox({ encrypts: true })
    expect(await outcomeOf(elsewhere(server.port))).toBe('for now')
    expect(server.received).toEqual([])
    const trusted = tls.getCACertificates()
    tls.setDefaultCACertificates([...trusted, mailboxCertificate])
    expect(await outcomeOf(elsewhere(server.port))).toBe('sent')
    tls.setDefaultCACertificates(trusted)
    expect(server.received).toMatchObject([{ encrypted: true }])
    await server.close()
  })
})
