import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { docx, jpg, pdf, png, pngOf } from '#server/kit/upload/testing.ts'
import type { holdFor } from '#server/kit/workers/testing.ts'
import type { TaskOf } from '#server/kit/workers/workers.ts'
import { type SignedIn, signIn } from '#server/session/testing.ts'
import { multipart, sendForm } from './testing.ts'

/** Attack cases E67, E68 and E70 over HTTP. For the inspection of the files themselves, see kit/upload/inspect-file.test.ts. */

let app: TestApp
let agent: SignedIn
let port: number
beforeAll(async () => {
  app = await testApp()
  agent = await signIn(app, 'agent@azahar.example')
  port = Number(new URL(await app.context.http.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.stop())
afterEach(() => {
  vi.useRealTimers()
})

const upload = (name: string, content: Buffer, field = 'files') =>
  sendForm(app, agent, '/api/tickets/files', {}, [{ name, content, field }])
const rulesOf = ({ body }: { body: { fields?: { path: string; rule: string }[] } }) =>
  body.fields?.map(({ path, rule }) => `${path} ${rule}`)

async function countFiles(): Promise<number> {
  const rows = await app.world.database.kysely.selectFrom('files').select('id').where('kind', '=', 'ticket').execute()
  return rows.length
}

test.each([
  ['page.html', Buffer.from('<script>alert(1)</script>')],
  ['drawing.svg', Buffer.from('<svg onload="alert(1)"/>')],
  ['invoice.pdf.exe', pdf()],
  ['photo.png', jpg()],
  ['empty.pdf', Buffer.alloc(0)],
  ['polyglot.jpg', Buffer.from('GIF89a/*\0\0*/=1;alert(1)')],
  ['letter.docx', docx([{ name: '../../x', content: 'x' }])],
  ['letter.docx', docx([{ name: 'word/link', content: '/etc/passwd', unixMode: 0o120777 }])],
])('the upload of %s is refused with a message and not stored', async (name, content) => {
  const before = await countFiles()
  const reply = await upload(name, content)
  expect([reply.status, rulesOf(reply)]).toEqual([422, ['files[0] file']])
  expect(reply.body.fields[0].message).not.toMatch(/shape\.|[{}]/)
  expect(await countFiles()).toBe(before)
})

test('an upload is served with its real type, as a download under a safe name', async () => {
  const { body } = await upload('../..\\a\u202Egnp.html.png', png())
  expect(body.data).toMatchObject({ mediaType: 'image/png', name: 'agnp_html.png' })
  const reply = await app.context.http.inject({ url: `/api/files/${body.data.uuid}`, headers: agent.headers })
  expect(reply.headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': expect.stringMatching(/^attachment;/),
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'content-security-policy': expect.stringContaining("object-src 'none'"),
  })
  const stored = await app.world.database.kysely.selectFrom('files').selectAll().where('id', '=', body.data.uuid).executeTakeFirstOrThrow()
  expect(stored.content_id).toMatch(/^[\da-f-]{36}$/)
})

test('one bad file among good ones is refused with all of them', async () => {
  const before = await countFiles()
  const files = [
    { name: 'a.pdf', content: pdf() },
    { name: 'b.pdf', content: Buffer.from('x') },
  ]
  const reply = await sendForm(app, agent, '/api/tickets/claims', {}, files)
  expect(rulesOf(reply)).toEqual(['files[1] file'])
  expect(await countFiles()).toBe(before)
})

test('files of a refused ticket are not stored', async () => {
  const before = await countFiles()
  const reply = await sendForm(app, agent, '/api/tickets/claims', { subject: 'x' }, [{ name: 'a.pdf', content: pdf() }])
  expect(reply.status).toBe(422)
  expect(await countFiles()).toBe(before)
})

describe('an upload beyond the limits', () => {
  test('in files, file size or fields is refused', async () => {
    const before = await countFiles()
    const eleven = Array.from({ length: 11 }, (_, index) => ({ name: `${index}.pdf`, content: pdf() }))
    expect((await sendForm(app, agent, '/api/tickets/claims', {}, eleven)).status).toBe(413)
    expect((await upload('large.pdf', pdf('x'.repeat(10_500_000)))).status).toBe(413)
    const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, 'x']))
    expect((await sendForm(app, agent, '/api/tickets/claims', fields, [])).status).toBe(413)
    expect((await sendForm(app, agent, '/api/tickets/claims', { description: 'x'.repeat(50_000) }, [])).status).toBe(413)
    expect(await countFiles()).toBe(before)
  })

  test('in pixels is refused, however small the file, and states the limit', async () => {
    const reply = await upload('huge.png', pngOf(14_100, 14_100))
    expect(rulesOf(reply)).toEqual(['files[0] file'])
    expect(reply.text).toContain('50 mega')
  })

  test('with repeated or unknown fields, or a malformed form, is refused', async () => {
    const { body } = multipart({ subject: 'a' }, [])
    const twice = Buffer.concat([body.subarray(0, body.lastIndexOf('--portolan')), body])
    const type = 'multipart/form-data; boundary=portolan-test-boundary'
    const send = (payload: Buffer | string, contentType = type) =>
      app.context.http.inject({
        method: 'POST',
        url: '/api/tickets/claims',
        headers: { ...agent.headers, 'content-type': contentType },
        payload,
      })
    expect((await send(twice)).statusCode).toBe(400)
    expect(rulesOf(await upload('a.pdf', pdf(), 'logo'))).toEqual(['logo unknown'])
    expect((await upload('a.pdf', pdf(), 'files[]')).status).toBe(200)
    expect((await sendForm(app, agent, '/api/tickets/claims', { constructor: '1' }, [])).status).toBe(400)
    for (const broken of ['multipart/form-data', 'multipart/form-data; boundary=', 'text/plain', 'application/x-www-form-urlencoded'])
      expect([broken, (await send('x', broken)).statusCode]).toEqual([
        broken,
        expect.toSatisfy((code: number) => code >= 400 && code < 500),
      ])
    expect((await send(body.subarray(0, -30))).statusCode).toBeLessThan(500)
  })

  /** Sends raw HTTP: the head, then as much body as `more` gives. Resolves when the server closes the connection. */
  const sendRaw = (head: string[], more: () => Buffer | undefined) =>
    new Promise<{ answer: string; sent: number }>(resolve => {
      const socket = connect(port, '127.0.0.1')
      let [answer, sent] = ['', 0]
      const headers = Object.entries(agent.headers).map(([name, value]) => `${name}: ${value}`)
      socket.write([...head, 'host: 127.0.0.1', ...headers, '', ''].join('\r\n'))
      const push = () => {
        for (let next = more(); next; next = more()) {
          sent += next.length
          if (!socket.write(next)) return
        }
      }
      socket.on('drain', push)
      socket.on('data', text => (answer += text))
      socket.on('error', () => socket.destroy())
      socket.on('close', () => resolve({ answer, sent }))
      push()
    })
  const post = 'POST /api/tickets/claims HTTP/1.1'
  const form = 'content-type: multipart/form-data; boundary=b'
  const chunked = (content: Buffer) => Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')])

  test('is cut off when a gigabyte is announced, or else at the limit', async () => {
    const before = await countFiles()
    const announced = await sendRaw([post, form, `content-length: ${1024 ** 3}`], () => undefined)
    expect(announced.answer).toMatch(/^HTTP\/1\.1 413 /)
    const block = Buffer.alloc(1_000_000, 'x')
    const opening = Buffer.from('--b\r\ncontent-disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n%PDF-1.7\n')
    let blocks = -1
    const endless = await sendRaw([post, form, 'transfer-encoding: chunked'], () => {
      blocks += 1
      return chunked(blocks === 0 ? opening : block)
    })
    expect(endless.sent).toBeGreaterThan(10_000_000)
    expect(await countFiles()).toBe(before)
  })

  test('slower than thirty seconds is cut off and not stored (attack E70)', async () => {
    const before = await countFiles()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const drop = [chunked(Buffer.from('--b\r\ncontent-disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n%PDF'))]
    const cut = sendRaw([post, form, 'transfer-encoding: chunked'], () => drop.pop())
    // The server is reading the form now.
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(30_000)
    expect((await cut).answer).toBe('')
    expect(await countFiles()).toBe(before)
  })

  test('with an endless part header is cut off or refused', async () => {
    let blocks = -1
    const { answer } = await sendRaw([post, form, 'transfer-encoding: chunked'], () => {
      blocks += 1
      return chunked(blocks === 0 ? Buffer.from('--b\r\nx: ') : Buffer.alloc(100_000, 'x'))
    })
    expect(answer === '' || /^HTTP\/1\.1 4\d\d /.test(answer)).toBe(true)
    expect((await app.ask('/health/live')).status).toBe(200)
  })
})

describe('one file in two requests at once', () => {
  const requestWith = async (fileUuid: string) => {
    const { data: types } = (await app.ask('/api/tickets/types', { headers: agent.headers })).body
    const { uuid: typeUuid } = types.find(({ kind }: { kind: string }) => kind === 'request')
    const contact = { contactEmail: 'ana@example.es', contactPhone: '+34 612 345 678' }
    const body = { typeUuid, subject: 'x', description: 'x', ...contact, fileUuids: [fileUuid] }
    return () => app.ask('/api/tickets/requests', { body, headers: agent.headers })
  }

  test('becomes the ticket’s or is deleted, but not both', async () => {
    for (let round = 0; round < 12; round++) {
      const { uuid: fileUuid } = (await upload('a.pdf', pdf())).body.data
      const file = await requestWith(fileUuid)
      const drop = () => app.ask('/api/tickets/files', { method: 'DELETE', body: { fileUuid }, headers: agent.headers })
      const replies = round % 2 ? [file(), drop()] : [drop(), file()]
      const [one, other] = await Promise.all(replies)
      const [filed, dropped] = round % 2 ? [one, other] : [other, one]
      expect(dropped?.status).toBe(200)
      expect(filed?.status).toBe(dropped?.body.data.deleted ? 422 : 200)
    }
  })

  test('becomes part of one of two tickets', async () => {
    for (let round = 0; round < 6; round++) {
      const file = await requestWith((await upload('a.pdf', pdf())).body.data.uuid)
      const statuses = (await Promise.all([file(), file()])).map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 422])
    }
  })
})

test('uploads need a session and the portal’s own origin', async () => {
  const { body, type } = multipart({}, [{ name: 'a.pdf', content: pdf() }])
  const send = (headers: Record<string, string>) =>
    app.context.http.inject({ method: 'POST', url: '/api/tickets/files', headers: { ...headers, 'content-type': type }, payload: body })
  expect((await send({})).statusCode).toBe(401)
  expect(
    (await send({ cookie: agent.cookie, origin: 'https://evil.example', 'x-bunit-token': agent.headers['x-bunit-token'] ?? '' }))
      .statusCode,
  ).toBe(403)
})

test('a session that ends during the inspection of its files stores none', async () => {
  const before = await countFiles()
  const other = await signIn(app, 'agent@azahar.example')
  const flag = new SharedArrayBuffer(4)
  const hold: TaskOf<typeof holdFor> = { module: new URL('../kit/workers/testing.ts', import.meta.url).href, name: 'holdFor' }
  const held = app.world.workers.run(other.user.uuid, hold, flag, 'held')
  const uploading = sendForm(app, other, '/api/tickets/files', {}, [{ name: 'letter.pdf', content: pdf(), field: 'files' }])
  expect((await app.ask('/api/auth/session', { method: 'DELETE', headers: other.headers })).status).toBe(200)
  Atomics.store(new Int32Array(flag), 0, 1)
  Atomics.notify(new Int32Array(flag), 0)
  expect([await held, (await uploading).status, await countFiles()]).toEqual(['held', 401, before])
})
