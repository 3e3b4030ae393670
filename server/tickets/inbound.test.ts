import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '#common/kit/refusals.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { type SignedIn, signIn } from '#server/session/testing.ts'
import { readTicketAddress, ticketAddress } from './mails.ts'
import { aPdf } from './testing.ts'

const settings = { INBOUND_MAIL_ADDRESS: 'tickets@in.portolan.example', INBOUND_MAIL_SECRET: 'a secret of the provider' }

let app: TestApp
let agent: SignedIn
let ticketUuid: string
/** The reply addresses of support and of the contact. */
let addresses: { support: string; contact: string }

beforeAll(async () => {
  app = await testApp(settings)
  agent = await signIn(app, 'agent@azahar.example')
})
beforeEach(async () => {
  const types: { uuid: string; kind: string }[] = (await app.ask('/api/tickets/types', { headers: agent.headers })).body.data
  const body = {
    typeUuid: types.find(({ kind }) => kind === 'request')?.uuid,
    subject: '¿Cubre el esquí?',
    description: 'Lo pregunta una clienta.',
    contactEmail: 'ana@example.es',
    contactPhone: '612345678',
  }
  ticketUuid = (await app.ask('/api/tickets/requests', { body, headers: agent.headers })).body.data.ticketUuid
  const mails = await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', ticketUuid).execute()
  const replyAddressOf = (isContact: boolean) =>
    mails.find(mail => (mail.recipient_address === 'ana@example.es') === isContact)?.content.replyTo ?? ''
  addresses = { contact: replyAddressOf(true), support: replyAddressOf(false) }
})
afterAll(() => app.stop())

let count = 0
const mailOf = (changes: object) => {
  count += 1
  return {
    MessageID: `m${count}`,
    From: 'Soporte <soporte@portolan.example>',
    FromName: 'Soporte',
    To: addresses.support,
    TextBody: 'Sí.',
    ...changes,
  }
}
const bearer = { authorization: `Bearer ${settings.INBOUND_MAIL_SECRET}` }
const hand = (changes: object = {}, headers: Record<string, string> = bearer) =>
  app.ask('/api/tickets/mail', { body: mailOf(changes), headers })
const thread = async (): Promise<{ author: string; support: boolean; text: string; files: { name: string }[] }[]> =>
  (await app.ask('/api/tickets/detail', { body: { ticketUuid }, headers: agent.headers })).body.data.thread
const sentTo = async () =>
  (await app.world.database.kysely.selectFrom('mails').selectAll().where('about', '=', ticketUuid).orderBy('id').execute()).map(
    ({ recipient_address, template }) => `${template} ${recipient_address}`,
  )

it('a reply by mail joins the thread and is mailed to the other side', async () => {
  const TextBody = 'Sí, con el suplemento.\r\n\r\nUn saludo\r\n\r\nEl sábado escribió Azahar:\r\n> ¿Cubre el esquí?\r\n> Gracias'
  const Attachments = [
    { Name: 'condiciones.pdf', Content: aPdf.content.toString('base64'), ContentType: 'x/y' },
    { Name: 'firma.html', Content: Buffer.from('<script>').toString('base64') },
  ]
  const reply = await hand({ TextBody, Attachments })
  expect(reply.body).toEqual({ code: 200, data: { kept: true } })
  expect(await thread()).toMatchObject([
    {
      author: 'Soporte',
      support: true,
      text: 'Sí, con el suplemento.\n\nUn saludo\n\n(No admitido del mensaje: firma.html)',
      files: [{ name: 'condiciones.pdf' }],
    },
  ])
  expect((await sentTo()).at(-1)).toBe('ticket_answered ana@example.es')
  await hand({
    To: `otro@x.example, Azahar <${addresses.contact.toUpperCase()}>`,
    FromName: 'Ana',
    StrippedTextReply: 'Gracias. 4242 4242 4242 4242',
  })
  expect((await thread())[1]).toMatchObject({ author: 'Ana', support: false, text: 'Gracias. ••••' })
  expect((await sentTo()).at(-1)).toMatch(/^ticket_written /)
})

describe('a reply keeps its whole text', () => {
  const html = '<head><title>x</title></head><div>S&iacute;, est&#225; cubierto.</div><p>Un saludo<br>Ana &amp; Leo</p>'
  it.each([
    ['in HTML alone', { TextBody: ' ', HtmlBody: html }, 'Sí, está cubierto.\n\nUn saludo\nAna & Leo'],
    [
      'in HTML alone, above a quote',
      { TextBody: '', HtmlBody: `<div>Sí.</div><div>Ana escribió:<br></div><blockquote>¿Esquí?</blockquote>` },
      'Sí.',
    ],
    ['below the quote', { TextBody: 'Ana escribió:\n> ¿Esquí?\n\nSí.' }, 'Ana escribió:\n> ¿Esquí?\n\nSí.'],
    ['between the quotes', { TextBody: 'Hola:\n\n> ¿Esquí?\nSí.\n> ¿Surf?\nNo.' }, 'Hola:\n\n> ¿Esquí?\nSí.\n> ¿Surf?\nNo.'],
    ['below a long quote', { TextBody: `Ana escribió:\n${'> ¿Esquí?\n'.repeat(1000)}Sí.` }, 'Ana escribió:\nSí.'],
    ['with a list under a heading', { TextBody: 'Cubre:\n- esquí\n\nEl sábado:\n\n> ¿Qué?' }, 'Cubre:\n- esquí'],
  ])('%s', async (_, changes, text) => {
    expect((await hand(changes)).body.data.kept).toBe(true)
    expect((await thread()).at(-1)?.text).toBe(text)
  })
})

// A parser with quadratic time would need hours for this text.
it('a reply of half a million lines is read in linear time', async () => {
  expect((await hand({ TextBody: 'a:\n'.repeat(330_000) })).body.data.kept).toBe(true)
  expect((await thread()).at(-1)?.text).toMatch(/^(?:a:\n)+a?:?$/)
  const before = (await thread()).length
  for (const letters of ['<', '<a ', '<!--', '<style>', '<!', '&', '<blockquote>'])
    await hand({ TextBody: '', HtmlBody: letters.repeat(1_000_000 / letters.length) })
  expect((await thread()).length).toBeGreaterThan(before)
})

it('a reply joins the thread once, however often it is delivered', async () => {
  const before = (await thread()).length
  expect((await hand({ MessageID: 'once' })).body.data.kept).toBe(true)
  expect((await hand({ MessageID: 'once' })).body.data.kept).toBe(false)
  expect((await thread()).length).toBe(before + 1)
})

describe('the inbound mail call', () => {
  it.each<[string, Record<string, string>]>([
    ['refuses a missing secret', {}],
    ['refuses a wrong secret', { authorization: 'Bearer a secret of the provideR' }],
    ['refuses a user’s credentials', { authorization: 'Basic YTpi' }],
  ])('%s', async (_, headers) => expect((await hand({}, headers)).status).toBe(401))

  it('accepts the secret by Basic authentication', async () => {
    const authorization = `Basic ${Buffer.from(`postmark:${settings.INBOUND_MAIL_SECRET}`).toString('base64')}`
    expect((await hand({}, { authorization })).body.data.kept).toBe(true)
  })

  it('returns 404 where no inbound mail is configured', async () => {
    const other = await testApp()
    expect((await other.ask('/api/tickets/mail', { body: {} })).status).toBe(404)
    await other.stop()
  })
})

describe('a reply is ignored', () => {
  it.each<[string, () => object]>([
    ['if sent to no ticket', () => ({ To: 'tickets@in.portolan.example' })],
    ['if sent to a forged address', () => ({ To: addresses.support.replace(/\.[a-z\d]{10}@/, '.aaaaaaaaaa@') })],
    ['if sent to the other side with this side’s signature', () => ({ To: addresses.support.replace('.s.', '.a.') })],
    ['if sent by an autoresponder', () => ({ Headers: [{ Name: 'Auto-Submitted', Value: 'auto-replied' }] })],
    ['without text of its own', () => ({ TextBody: '> quoted' })],
    ['without text of its own, in HTML', () => ({ TextBody: '', HtmlBody: '<p>Ana escribió:</p><blockquote>Sí</blockquote>' })],
  ])('%s', async (_, changes) => {
    const before = (await thread()).length
    const reply = await hand(changes())
    expect(reply.body).toEqual({ code: 200, data: { kept: false } })
    expect((await thread()).length).toBe(before)
  })

  it('a malformed mail is refused instead', async () => {
    expect((await hand({ MessageID: '' })).status).toBe(422)
    expect((await hand({ From: 5 })).status).toBe(422)
  })
})

it('a reply address carries unit, ticket and side, and cannot be forged', () => {
  const longest = { unit: `a${'b'.repeat(30)}`, reference: 'C100000-A', side: 'support' } as const
  const address = ticketAddress(settings, longest)
  expect(address.indexOf('@')).toBeLessThanOrEqual(64)
  expect(readTicketAddress(settings, ['x@y.example', address.toUpperCase()])).toEqual(longest)
  expect(readTicketAddress({ ...settings, INBOUND_MAIL_SECRET: 'another secret, 16+' }, [address])).toBeUndefined()
})

it('a mail that fails half-way for lack of workers leaves no files behind', async () => {
  const { workers, database } = app.world
  const kept = async () => (await database.kysely.selectFrom('files').select('id').where('kind', '=', 'ticket').execute()).length
  const before = await kept()
  const Attachments = ['a.pdf', 'b.pdf'].map(Name => ({ Name, Content: aPdf.content.toString('base64') }))
  const run = workers.run.bind(workers)
  let tasks = 0
  // The first task reads the mail, the second its first file.
  workers.run = (...task) => {
    tasks += 1
    return tasks < 3 ? run(...task) : Promise.reject(new Refusal('service.unavailable', { retryAfter: 2 }))
  }
  expect((await hand({ Attachments })).status).toBe(503)
  workers.run = run
  expect([tasks, await kept()]).toEqual([3, before])
  expect((await hand({ Attachments })).body.data.kept).toBe(true)
  expect(await kept()).toBe(before + 2)
})
