import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { mostFiles } from '#common/tickets/ticket.ts'
import { type Browser, openBrowser } from '#portal/kit/testing.ts'
import { signInAgain, signInTo } from '#portal/session/testing.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { pdf, png } from '#server/kit/upload/testing.ts'

const agent = 'agent@azahar.example'
const draft = 'a draft'
const path = '/api/tickets/files'

let app: TestApp
let browser: Browser
let files: Awaited<ReturnType<typeof openPage>>
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  browser = openBrowser(app)
  await signInTo(agent)
  files = await openPage()
})
afterEach(async () => {
  files.forgetSession()
  await browser.close()
})

async function openPage() {
  const [{ ticketUploads }, { forgetSession }, { whenSessionEnds }] = await Promise.all([
    import('./uploads.ts'),
    import('#portal/session/sign-out.ts'),
    import('#portal/kit/ask.ts'),
  ])
  return { ...ticketUploads, forgetSession, whenSessionEnds }
}

const file = (name = 'invoice.pdf') => new File([new Uint8Array(pdf())], name, { type: 'application/pdf' })
const states = () => files.uploadsOf(draft).map(({ state }) => state)
const reached = (...expected: string[]) => expect.poll(states).toEqual(expected)
const only = () => {
  const [first] = files.uploadsOf(draft)
  if (!first) throw new Error('there is no file')
  return first
}
const kept = async () => (await app.world.database.kysely.selectFrom('files').select('id').execute()).length

/** Delays each upload until it is released. */
function hold() {
  const waiting: (() => void)[] = []
  const keys: string[] = []
  const signals: (AbortSignal | null | undefined)[] = []
  browser.connection = async (send, asked, { method, headers, signal }) => {
    if (asked !== path || method !== 'POST') return send()
    keys.push(new Headers(headers).get('idempotency-key') ?? '')
    signals.push(signal)
    await new Promise<void>(resolve => waiting.push(resolve))
    return send()
  }
  return { keys, signals, release: () => waiting.shift()?.() }
}

/** Loses the uploads or their responses until `restore` is called. */
function lose(what: 'calls' | 'replies') {
  const keys: string[] = []
  browser.connection = async (send, asked, { method, headers }) => {
    if (asked !== path || method !== 'POST') return send()
    keys.push(new Headers(headers).get('idempotency-key') ?? '')
    if (what === 'replies') await send()
    throw new TypeError('no connection')
  }
  const restore = () => {
    browser.connection = (send, _asked, { headers }) => {
      keys.push(new Headers(headers).get('idempotency-key') ?? '')
      return send()
    }
  }
  return { keys, restore }
}

const goOnline = () => browser.tab.window.dispatchEvent(new Event('online'))

test('a file is sent at once, and shows its progress until the service has it', { tags: 'S7.1' }, async () => {
  const connection = hold()
  files.addFiles(draft, [file()])
  await expect.poll(() => connection.keys).toHaveLength(1)
  expect(only()).toMatchObject({ state: 'sending', share: 0.5, name: 'invoice.pdf' })
  expect(files.isUnfinished(draft)).toBe(true)
  connection.release()
  await reached('there')
  expect(only()).toMatchObject({ share: 1, uuid: expect.any(String) })
  expect(files.isUnfinished(draft)).toBe(false)
  expect(files.keptFiles(draft)).toEqual([expect.objectContaining({ uuid: only().uuid, name: 'invoice.pdf' })])
})

test('two files are sent at a time; the next follows when one has arrived', async () => {
  const connection = hold()
  files.addFiles(draft, [file('1.pdf'), file('2.pdf'), file('3.pdf')])
  await reached('sending', 'sending', 'waiting')
  await expect.poll(() => connection.keys).toHaveLength(2)
  connection.release()
  await reached('there', 'sending', 'sending')
  await expect.poll(() => connection.keys).toHaveLength(3)
  connection.release()
  connection.release()
  await reached('there', 'there', 'there')
})

test('files beyond the limit of a ticket are refused', () => {
  hold()
  files.addFiles(
    draft,
    Array.from({ length: mostFiles - 1 }, (_, place) => file(`${place}.pdf`)),
  )
  files.addFiles(draft, [file('last.pdf'), file('beyond.pdf')])
  expect(files.uploadsOf(draft)).toHaveLength(mostFiles)
  files.addFiles(draft, [file('beyond.pdf')])
  expect(files.uploadsOf(draft)).toHaveLength(mostFiles)
})

test('a refused file stays refused with its reason, and the next one is sent', async () => {
  files.addFiles(draft, [new File(['MZ'], 'invoice.pdf', { type: 'application/pdf' }), file('2.pdf'), file('3.pdf')])
  await reached('refused', 'there', 'there')
  expect(only().reason).toEqual(expect.stringMatching(/\S/))
  const before = browser.asked.length
  files.resume(draft)
  goOnline()
  expect([browser.asked.length, states()[0]]).toEqual([before, 'refused'])
  expect(files.isUnfinished(draft)).toBe(true)
})

test('a refused file does not count towards the limit, and the next one replaces it', async () => {
  const good = Array.from({ length: mostFiles - 1 }, (_, place) => file(`${place}.pdf`))
  files.addFiles(draft, [...good, new File(['MZ'], 'fake.pdf', { type: 'application/pdf' })])
  await reached(...good.map(() => 'there' as const), 'refused')
  expect(files.roomIn(draft)).toBe(1)
  files.addFiles(draft, [file('invoice.pdf')])
  await reached(...good.map(() => 'there' as const), 'there')
  expect(files.uploadsOf(draft).at(-1)?.name).toBe('invoice.pdf')
})

test('the next file is sent when all before it are refused', async () => {
  const bad = () => new File(['MZ'], 'invoice.pdf', { type: 'application/pdf' })
  files.addFiles(draft, [bad(), bad(), file()])
  await reached('refused', 'refused', 'there')
})

test('a file that lost its connection is sent later with the same key', async () => {
  const connection = lose('calls')
  files.addFiles(draft, [file()])
  await reached('paused')
  expect(only().share).toBe(0)
  connection.restore()
  goOnline()
  await reached('there')
  expect(new Set(connection.keys).size).toBe(1)
})

test.each([409, 429, 503])('a file that the service refuses with %i for now is sent again later', async code => {
  browser.connection = (send, asked) =>
    asked === path
      ? Promise.resolve(Response.json({ code, error: 'any', errorMessage: 'later', requestId: '1' }, { status: code }))
      : send()
  files.addFiles(draft, [file()])
  await reached('paused')
  browser.connection = send => send()
  files.resume(draft)
  await reached('there')
})

test('a file whose response was lost is stored once', async () => {
  const before = await kept()
  const connection = lose('replies')
  files.addFiles(draft, [file()])
  await reached('paused')
  connection.restore()
  files.resume(draft)
  await reached('there')
  expect(await kept()).toBe(before + 1)
})

test('a paused file is retried by itself, but not while the browser is offline', async () => {
  const connection = lose('calls')
  files.addFiles(draft, [file()])
  await reached('paused')
  const { navigator, postponed } = browser.tab.window
  connection.restore()
  navigator.onLine = false
  const retry = postponed.shift()
  retry?.()
  expect(states()).toEqual(['paused'])
  navigator.onLine = true
  retry?.()
  await reached('there')
})

test('a paused file is sent once another call succeeds', async () => {
  const { trackRequest } = await import('#portal/kit/connection.ts')
  const connection = lose('calls')
  files.addFiles(draft, [file()])
  await reached('paused')
  trackRequest()('none')
  connection.restore()
  trackRequest()('response')
  await reached('there')
})

test('a file removed while it is sent is aborted, and the next one follows', async () => {
  const connection = hold()
  files.addFiles(draft, [file('1.pdf'), file('2.pdf'), file('3.pdf')])
  await expect.poll(() => connection.keys).toHaveLength(2)
  files.remove(draft, only())
  expect(connection.signals.map(signal => signal?.aborted)).toEqual([true, false])
  await reached('sending', 'sending')
  expect(files.uploadsOf(draft).map(({ name }) => name)).toEqual(['2.pdf', '3.pdf'])
  expect(browser.tab.window.postponed).toEqual([])
})

test('a file removed after it has arrived is removed from the service', async () => {
  const before = await kept()
  files.addFiles(draft, [file()])
  await reached('there')
  expect(await kept()).toBe(before + 1)
  files.remove(draft, only())
  expect(states()).toEqual([])
  await expect.poll(kept).toBe(before)
})

test('files of a discarded draft are removed from the service', async () => {
  const before = await kept()
  files.addFiles(draft, [file('1.pdf'), file('2.pdf')])
  await reached('there', 'there')
  files.discard(draft, files.keptFiles(draft))
  expect(states()).toEqual([])
  await expect.poll(kept).toBe(before)
})

test('files of a sent ticket leave the form, and stay at the service', async () => {
  files.addFiles(draft, [file()])
  await reached('there')
  const after = await kept()
  files.forget(draft)
  expect(states()).toEqual([])
  expect(await kept()).toBe(after)
})

test('files of a draft are back after a reload, unless others were added', async () => {
  const row = { uuid: crypto.randomUUID(), name: 'invoice.pdf', size: 9, mediaType: 'application/pdf' }
  files.restoreFiles(draft, [row])
  expect(only()).toMatchObject({ ...row, state: 'there', share: 1 })
  files.restoreFiles(draft, [row, { ...row, uuid: crypto.randomUUID() }])
  expect(files.uploadsOf(draft)).toHaveLength(1)
})

test('a file sent after the session ended waits for a sign-in, then continues', async () => {
  const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  await app.ask('/api/auth/session', { method: 'DELETE', headers: { cookie } })
  const signedIn = Promise.withResolvers<boolean>()
  files.whenSessionEnds(() => signedIn.promise)
  files.addFiles(draft, [file()])
  await reached('paused')
  await signInAgain(agent)
  signedIn.resolve(true)
  await reached('there')
})

test('a sign-out aborts every upload, and no late response restores a file', async () => {
  const before = await kept()
  const connection = hold()
  files.addFiles(draft, [file('1.pdf'), file('2.pdf'), file('3.pdf')])
  await expect.poll(() => connection.keys).toHaveLength(2)
  files.forgetSession()
  expect(states()).toEqual([])
  connection.release()
  connection.release()
  // The service stores the files that were under way. The next test must not count them.
  await expect.poll(kept).toBe(before + 2)
  expect(states()).toEqual([])
  expect(connection.keys).toHaveLength(2)
})

test('a picture is shown before it has arrived, and no longer once removed', async () => {
  hold()
  files.addFiles(draft, [new File([new Uint8Array(png())], 'suitcase.png', { type: 'image/png' })])
  const { preview = '' } = only()
  expect((await fetch(preview)).ok).toBe(true)
  files.remove(draft, only())
  await expect(fetch(preview)).rejects.toThrow()
})
