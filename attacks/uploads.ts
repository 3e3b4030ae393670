import assert from 'node:assert/strict'
import { request } from 'node:http'
import { badMarkup, blankParts, directoryEnds, entities, manyParts, overlapping, tinyEntries, zipInZip } from './files/docx.ts'
import {
  brokenInside,
  chainOfStreams,
  doubleDeflated,
  endless,
  endlessFilters,
  escapedName,
  escapedNames,
  hugeXref,
  manyDeflated,
  nestedFilters,
  neverEnding,
} from './files/pdf.ts'
import { heics, jpegs, pngs, svgs } from './files/pictures.ts'
import { type Agent, type Json, type Reply } from '#fault-tests/harness/agent.ts'
import type { Case, Field } from './field.ts'
import { inboundSecret } from './target.ts'

export type Hostile = { name: string; what: string; make: () => Buffer }

const as = (name: string, made: Record<string, () => Buffer>): Hostile[] =>
  Object.entries(made).map(([what, make]) => ({ name, what, make }))

/** The three that stopped the service for seconds. */
export const known = [
  ...as('claim.pdf', { '300 streams of objects, deflated twice': doubleDeflated, 'one name of ten million codes': escapedName }),
  ...as('claim.docx', { 'parts of blanks': blankParts }),
]

export const invented = [
  ...as('claim.pdf', {
    'streams of objects, broken at their end': brokenInside,
    'streams of objects without an end': endless,
    'many streams of objects': manyDeflated,
    'names of codes': escapedNames,
    'a filter fifty times': nestedFilters,
    'a hundred thousand filters': endlessFilters,
    'a ring of streams': chainOfStreams,
    'a table of two thousand million places': hugeXref,
    ...neverEnding,
  }),
  ...as('claim.docx', {
    'parts of markup': manyParts,
    'entries that share their bytes': overlapping,
    'entries by the ten thousand': tinyEntries,
    'archives in archives': zipInZip,
    'entities in entities': entities,
    'ends of directories': directoryEnds,
    ...badMarkup,
  }),
  ...as('photo.png', pngs),
  ...as('photo.jpg', jpegs),
  ...as('photo.heic', heics),
]

/** An agency sends a megabyte at most. */
export const logos = [...as('logo.svg', svgs), ...as('logo.png', pngs)]
const mostLogo = 1024 * 1024

/** The loop may not be held longer by anything that comes from outside. */
const mostHeldMs = 50

/** So long was the loop held at most while this was done; undefined where attacker and attacked share it. */
export async function heldBy({ target }: Field, work: () => Promise<unknown>): Promise<number | undefined> {
  await target.watch()
  await work()
  return target.held()
}

async function calmly(field: Field, what: string, work: () => Promise<unknown>): Promise<void> {
  const held = await heldBy(field, work)
  assert.ok(held === undefined || held <= mostHeldMs, `${what}: the loop was held for ${Math.round(held ?? 0)} ms`)
}

export function send(agent: Agent, name: string, content: Buffer): Promise<Reply> {
  const head = `--x\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\ncontent-type: application/pdf\r\n\r\n`
  return agent.ask('/api/tickets/files', {
    payload: new Uint8Array(Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--x--\r\n')])),
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    timeoutMs: 120_000,
  })
}

const taken = [200, 413, 422]

async function sendAll(field: Field, files: Hostile[]): Promise<void> {
  for (const { name, what, make } of files) {
    const content = make()
    await calmly(field, `${name}, ${what}`, async () => {
      const { status, text } = await send(field.a, name, content)
      assert.ok(taken.includes(status), `${name}, ${what}: ${status} ${text.slice(0, 100)}`)
    })
  }
}

export const sendLogo = (manager: Agent, content: Buffer): Promise<Reply> =>
  manager.ask('/api/agency', { method: 'PUT', body: { logo: `data:image/png;base64,${content.toString('base64')}` } })

/** The answer to a body that may be cut while it is sent: 0 where nothing came back. */
function push({ target }: Field, path: string, headers: Record<string, string>, body: Buffer): Promise<number> {
  return new Promise(resolve => {
    const asked = request(new URL(path, target.origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
    })
    asked.once('response', response => resolve(response.resume().statusCode ?? 0)).on('error', () => resolve(0))
    asked.end(body)
  })
}

const megabytes = (count: number): number => count * 1_000_000
const asProvider = { authorization: `Bearer ${inboundSecret}` }

/** Mails as somebody may write them: the provider hands over whatever comes. */
export function mails(): [what: string, body: Buffer][] {
  const mail = (changes: Json) => Buffer.from(JSON.stringify({ MessageID: 'm', From: 'a@e.example', To: 'b@e.example', ...changes }))
  const file = (Name: string, content: Buffer) => ({ Name, Content: content.toString('base64') })
  return [
    ['HTML of 35 MB', mail({ HtmlBody: '<p>&#x41;'.repeat(megabytes(35) / 9) })],
    ['lists in lists', Buffer.from('['.repeat(megabytes(39)))],
    ['millions of little objects', Buffer.from(`[${'{"a":1},'.repeat(4_000_000)}0]`)],
    ['a million names', Buffer.from(`{${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1`).join()}}`)],
    ['three large files', mail({ Attachments: [1, 2, 3].map(() => file('a.pdf', Buffer.alloc(9_900_000, '%PDF-1.7\n'))) })],
    ['a file of ten million codes', mail({ Attachments: Array.from({ length: 100 }, () => file('a.pdf', escapedName())) })],
    ['a name of 30 MB', mail({ Attachments: [file('a'.repeat(megabytes(30)), Buffer.from('x'))] })],
    ['escapes', Buffer.from(`{"MessageID":"${String.raw`\u0041`.repeat(6_000_000)}"}`)],
  ]
}

/** E. What people upload, and what comes by mail. */
export const uploads: Case[] = [
  {
    id: 'E69',
    title: 'files that are made to be looked into for long: the three known ones',
    quick: true,
    run: field => sendAll(field, known),
  },
  { id: 'E72', title: `${invented.length} more of them`, run: field => sendAll(field, invented) },
  {
    id: 'E73',
    title: 'many of them at once, while a colleague brings a photo',
    async run(field) {
      const bombs = [...known, ...known].map(({ name, make }) => ({ name, content: make() }))
      await calmly(field, 'six at once', async () => {
        const sent = bombs.map(({ name, content }) => send(field.a, name, content))
        const photo = await send(field.manager, 'photo.png', pngs['of one pixel whose data are 200 MB']?.() ?? Buffer.alloc(0))
        assert.equal(photo.status, 200, photo.text.slice(0, 100))
        for (const { status } of await Promise.all(sent)) assert.ok([...taken, 503].includes(status), String(status))
      })
    },
  },
  {
    id: 'E74',
    title: 'logos that swell, nest and never end',
    async run(field) {
      for (const { name, what, make } of logos) {
        const content = make()
        if (content.length > mostLogo) continue
        await calmly(field, `${name} ${what}`, async () => {
          const { status, text } = await sendLogo(field.manager, content)
          assert.ok([200, 422].includes(status), `${what}: ${status} ${text.slice(0, 100)}`)
        })
      }
    },
  },
  {
    id: 'G93',
    title: 'eight mails of 40 MB with a wrong secret, at once',
    quick: true,
    async run(field) {
      const body = Buffer.alloc(megabytes(39), 0x20)
      await calmly(field, 'eight mails', async () => {
        const wrong = { authorization: 'Bearer a secret that is wrong' }
        const answers = await Promise.all(Array.from({ length: 8 }, () => push(field, '/api/tickets/mail', wrong, body)))
        for (const status of answers) assert.ok([0, 401].includes(status), String(status))
      })
      const { status } = await field.ask('/api/tickets/mail', { body: {}, headers: { authorization: 'Bearer a secret that is wrong' } })
      assert.equal(status, 401)
    },
  },
  {
    id: 'G93b',
    title: 'mails with the right secret that are made to choke on',
    async run(field) {
      for (const [what, body] of mails())
        await calmly(field, what, async () => {
          const status = await push(field, '/api/tickets/mail', asProvider, body)
          assert.ok([200, 400, 413, 422].includes(status), `${what}: ${status}`)
        })
    },
  },
  {
    id: 'G96',
    title: 'bodies of calls that anybody may make',
    quick: true,
    async run(field) {
      const payload = JSON.stringify({ email: 'a'.repeat(17_000), password: 'x' })
      const paths = ['login', 'session', 'password/forgot', 'password/reset', 'invitation', 'invitation/accept'].map(
        path => `/api/auth/${path}`,
      )
      for (const path of [...paths, '/api/verify']) assert.equal((await field.ask(path, { payload })).status, 413, path)
      const event = await push(field, '/api/payments/webhook', { 'stripe-signature': 't=1,v1=x' }, Buffer.alloc(megabytes(10), 0x20))
      assert.ok([0, 413].includes(event), String(event))
      const unknown = await push(field, '/api/quotes', {}, Buffer.alloc(megabytes(40), 0x20))
      assert.ok([0, 401].includes(unknown), String(unknown))
    },
  },
]
