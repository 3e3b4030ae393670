import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { signIn } from '#server/session/testing.ts'

// How much anybody may say, and how long he may take for it. What of it is dear besides: allowance.test.ts.

let app: TestApp
let port: number

beforeAll(async () => {
  app = await testApp()
  port = Number(URL.parse(await app.context.http.listen({ port: 0, host: '127.0.0.1' }))?.port)
})
afterAll(() => app.stop())

type Line = { socket: Socket; heard: Promise<string> }

function say(text: string): Promise<Line> {
  return new Promise(resolve => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, () => resolve({ socket, heard })))
    const heard = new Promise<string>(end => {
      socket.on('data', data => (answer += String(data)))
      socket.on('error', () => {})
      socket.on('close', () => end(answer))
    })
  })
}

describe('how much', () => {
  const quote = (length: number) => {
    const empty = JSON.stringify({ productUUID: '' })
    return JSON.stringify({ productUUID: 'a'.repeat(length - empty.length) })
  }

  test('the body of a call of somebody who is known has a mebibyte at most', async () => {
    const { headers } = await signIn(app, 'agent@azahar.example')
    const ask = async (length: number) => {
      const payload = quote(length)
      expect(Buffer.byteLength(payload)).toBe(length)
      return (await app.ask('/api/quotes', { payload, headers })).status
    }
    expect([await ask(1024 * 1024), await ask(1024 * 1024 + 1)]).toEqual([422, 413])
  })

  test('one that is announced too large is refused before it is sent', async () => {
    const head = `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n\r\n`
    const { heard, socket } = await say(`${head}{`)
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(0)
    socket.destroy()
    expect(await heard).toMatch(/^HTTP\/1\.1 413 [\s\S]*"error":"request\.too_large"/)
  })

  test.each([
    ['an address', `GET /api/nowhere?${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a header', `GET /api/nowhere HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['all headers together', `GET /api/nowhere HTTP/1.1\r\nHost: x\r\n${`X-Many: ${'x'.repeat(100)}\r\n`.repeat(170)}\r\n`],
  ])('%s of more than 16 kB is refused in the envelope, and the line is cut', async (_, text) => {
    const { heard } = await say(text)
    const answer = await heard
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 400, error: 'request.malformed' })
  })

  test('what stands in a path has two hundred letters at most', async () => {
    const found = await app.ask(`/api/files/${'x'.repeat(201)}`)
    expect([found.status, found.body.code]).toEqual([400, 400])
  })
})

describe('how long', () => {
  test('a header has 15 seconds, a file ten minutes, a silent line one; of lines there are 5 000', () => {
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout, maxConnections } = app.context.http.server
    expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout, maxConnections }).toEqual({
      headersTimeout: 15_000,
      requestTimeout: 600_000,
      timeout: 60_000,
      keepAliveTimeout: 65_000,
      maxConnections: 5_000,
    })
  })

  test('whoever has not said what he asks after half a minute is cut off; others are not', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { socket, heard } = await say(
        'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      )
      await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0)
      vi.advanceTimersByTime(29_999)
      expect((await app.ask('/health/live')).status).toBe(200)
      expect(socket.destroyed).toBe(false)
      vi.advanceTimersByTime(1)
      expect(await heard).toBe('')
      expect((await app.ask('/health/live')).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })
})
