import assert from 'node:assert/strict'
import { request } from 'node:http'
import { badMarkup, blankParts, directoryEnds, entities, manyParts, overlapping, tinyEntries, zipInZip } from './files/docx.ts'
import { hidden, opening } from './files/hidden-pdf.ts'
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
import { type Agent, type Json, type Reply } from '#testing/agent.ts'
import type { Case, Scenario } from './scenario.ts'
import { inboundSecret } from './target.ts'

type Hostile = { name: string; what: string; make: () => Buffer }

const named = (name: string, made: Record<string, () => Buffer>): Hostile[] =>
  Object.entries(made).map(([what, make]) => ({ name, what, make }))

/** Three files that once blocked the server for seconds. */
const known = [
  ...named('claim.pdf', { '300 streams of objects, deflated twice': doubleDeflated, 'one name of ten million codes': escapedName }),
  ...named('claim.docx', { 'parts of blanks': blankParts }),
]

const invented = [
  ...named('claim.pdf', {
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
  ...named('claim.docx', {
    'parts of markup': manyParts,
    'entries that share their bytes': overlapping,
    'entries by the ten thousand': tinyEntries,
    'archives in archives': zipInZip,
    'entities in entities': entities,
    'ends of directories': directoryEnds,
    ...badMarkup,
  }),
  ...named('photo.png', pngs),
  ...named('photo.jpg', jpegs),
  ...named('photo.heic', heics),
]

const logos = [...named('logo.svg', svgs), ...named('logo.png', pngs)]
const maxLogoBytes = 1024 * 1024

/** The longest time that outside input may block the event loop. */
const maxBlockedMs = 50

/** Returns how long the event loop was blocked by the work, or undefined if the attacks share it. */
async function loopBlockedMs({ target }: Scenario, work: () => Promise<unknown>): Promise<number | undefined> {
  await target.startWatch()
  await work()
  return target.longestWorkMs()
}

async function withinLoopLimit(scenario: Scenario, what: string, work: () => Promise<unknown>): Promise<void> {
  const longestWorkMs = await loopBlockedMs(scenario, work)
  assert.ok(
    longestWorkMs === undefined || longestWorkMs <= maxBlockedMs,
    `${what}: the event loop was blocked for ${Math.round(longestWorkMs ?? 0)} ms`,
  )
}

function send(agent: Agent, name: string, content: Buffer): Promise<Reply> {
  const head = `--x\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\ncontent-type: application/pdf\r\n\r\n`
  return agent.ask('/api/tickets/files', {
    payload: new Uint8Array(Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--x--\r\n')])),
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    timeoutMs: 120_000,
  })
}

const acceptedStatuses = [200, 413, 422]

async function sendAll(scenario: Scenario, files: Hostile[]): Promise<void> {
  for (const { name, what, make } of files) {
    const content = make()
    await withinLoopLimit(scenario, `${name}, ${what}`, async () => {
      const { status, text } = await send(scenario.a, name, content)
      assert.ok(acceptedStatuses.includes(status), `${name}, ${what}: ${status} ${text.slice(0, 100)}`)
    })
  }
}

const sendLogo = (manager: Agent, content: Buffer, headers = {}): Promise<Reply> =>
  manager.ask('/api/agency', {
    method: 'PUT',
    body: { logo: `data:image/png;base64,${content.toString('base64')}` },
    headers,
    timeoutMs: 120_000,
  })

/** Sends a body and returns the status, or 0 if the connection closed first. */
function post({ target }: Scenario, path: string, headers: Record<string, string>, body: Buffer): Promise<number> {
  return new Promise(resolve => {
    const sent = request(new URL(path, target.origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
    })
    sent.once('response', response => resolve(response.resume().statusCode ?? 0)).on('error', () => resolve(0))
    sent.end(body)
  })
}

const megabytes = (count: number): number => count * 1_000_000
const providerHeaders = { authorization: `Bearer ${inboundSecret}` }

/** Returns hostile emails as the email provider would forward them. */
function mails(): [what: string, body: Buffer][] {
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

/** Group E of the attack cases: uploads and inbound email. */
export const uploads: Case[] = [
  {
    id: 'E69',
    title: 'the three known files that take long to inspect',
    quick: true,
    run: scenario => sendAll(scenario, known),
  },
  { id: 'E72', title: `${invented.length} more files that take long to inspect`, run: field => sendAll(field, invented) },
  {
    id: 'E73',
    title: 'six such files at once while another user uploads a photo',
    async run(scenario) {
      const bombs = [...known, ...known].map(({ name, make }) => ({ name, content: make() }))
      await withinLoopLimit(scenario, 'six at once', async () => {
        const sent = bombs.map(({ name, content }) => send(scenario.a, name, content))
        const photo = await send(scenario.manager, 'photo.png', pngs['of one pixel with 200 MB of data']?.() ?? Buffer.alloc(0))
        assert.equal(photo.status, 200, photo.text.slice(0, 100))
        for (const { status } of await Promise.all(sent)) assert.ok([...acceptedStatuses, 503].includes(status), String(status))
      })
    },
  },
  {
    id: 'E74',
    title: 'logos that expand, nest or never end',
    async run(scenario) {
      for (const { name, what, make } of logos) {
        const content = make()
        if (content.length > maxLogoBytes) continue
        await withinLoopLimit(scenario, `${name} ${what}`, async () => {
          const { status, text } = await sendLogo(scenario.manager, content)
          assert.ok([200, 422].includes(status), `${what}: ${status} ${text.slice(0, 100)}`)
        })
      }
    },
  },
  {
    id: 'E75',
    title: `${Object.keys(opening).length} PDFs that open a link by themselves, and ${Object.keys(hidden).length} that hide it, or a script`,
    quick: true,
    async run(scenario) {
      for (const [what, make] of [...Object.entries(opening), ...Object.entries(hidden)]) {
        const { status, text } = await send(scenario.a, 'claim.pdf', make())
        assert.equal(status, 422, `${what}: ${status} ${text.slice(0, 100)}`)
      }
    },
  },
  {
    id: 'E77',
    title: 'a logo whose shape names scales without an end, which once held a thread until its limit',
    quick: true,
    async run({ manager }) {
      const { status, body, text } = await sendLogo(manager, svgs['of a shape of scales without an end']?.() ?? Buffer.alloc(0))
      // A task that its thread could not end is refused as no picture.
      assert.ok(status === 200 || (status === 422 && body.fields[0].rule === 'heavy'), `${status} ${text.slice(0, 200)}`)
    },
  },
  {
    id: 'E76',
    title: 'three logos that take long to draw, while another agency stores its own',
    bothAct: true,
    async run({ manager, admin, b }) {
      const slow = svgs['of a hundred thousand letters']?.() ?? Buffer.alloc(0)
      const unit = admin.user.businessUnits.find(({ uuid }: Json) => uuid === b.unitId)
      let isBusy = true
      const sent = Promise.all(['', ' ', '  '].map(end => sendLogo(manager, Buffer.concat([slow, Buffer.from(end)]))))
      const all = sent.finally(() => (isBusy = false))
      // Its error is reported below.
      all.catch(() => {})
      for (let side = 1; isBusy; side++) {
        const square = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"/>`)
        const { status, text } = await sendLogo(admin, square, { 'x-bunit-token': unit.token })
        assert.equal(status, 200, text.slice(0, 100))
      }
      // They wait for each other, and none is turned away.
      for (const { status, text } of await all) assert.equal(status, 422, text.slice(0, 100))
    },
  },
  {
    id: 'G93',
    title: 'eight concurrent emails of 40 MB with a wrong secret',
    quick: true,
    async run(scenario) {
      const body = Buffer.alloc(megabytes(39), 0x20)
      await withinLoopLimit(scenario, 'eight emails', async () => {
        const wrong = { authorization: 'Bearer a secret that is wrong' }
        const responses = await Promise.all(Array.from({ length: 8 }, () => post(scenario, '/api/tickets/mail', wrong, body)))
        for (const status of responses) assert.ok([0, 401].includes(status), String(status))
      })
      const { status } = await scenario.ask('/api/tickets/mail', { body: {}, headers: { authorization: 'Bearer a secret that is wrong' } })
      assert.equal(status, 401)
    },
  },
  {
    id: 'G128',
    title: 'sixty thousand unknown fields in a request, or in one of its travellers',
    quick: true,
    async run(scenario) {
      const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`key${index}`, index]))
      for (const body of [many, { users: [many] }])
        await withinLoopLimit(scenario, 'sixty thousand fields', async () => {
          const { status } = await scenario.a.ask('/api/policy/register', { body })
          assert.equal(status, 413)
        })
    },
  },
  {
    id: 'G93b',
    title: 'emails with the right secret that take long to read',
    async run(scenario) {
      for (const [what, body] of mails())
        await withinLoopLimit(scenario, what, async () => {
          const status = await post(scenario, '/api/tickets/mail', providerHeaders, body)
          assert.ok([200, 400, 413, 422].includes(status), `${what}: ${status}`)
        })
    },
  },
  {
    id: 'G96',
    title: 'large bodies of public calls',
    quick: true,
    async run(scenario) {
      const payload = JSON.stringify({ email: 'a'.repeat(17_000), password: 'x' })
      const paths = ['login', 'session', 'password/forgot', 'password/reset', 'invitation', 'invitation/accept'].map(
        path => `/api/auth/${path}`,
      )
      for (const path of [...paths, '/api/verify']) assert.equal((await scenario.ask(path, { payload })).status, 413, path)
      const event = await post(scenario, '/api/payments/webhook', { 'stripe-signature': 't=1,v1=x' }, Buffer.alloc(megabytes(10), 0x20))
      assert.ok([0, 413].includes(event), String(event))
      const unknown = await post(scenario, '/api/quotes', {}, Buffer.alloc(megabytes(40), 0x20))
      assert.ok([0, 401].includes(unknown), String(unknown))
    },
  },
]
