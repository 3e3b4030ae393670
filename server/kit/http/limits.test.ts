import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { signIn } from '#server/session/testing.ts'

// The limits on size and time of every request. Quotas of expensive operations: quota.test.ts.

let app: TestApp
let port: number

beforeAll(async () => {
  app = await testApp()
  port = Number(URL.parse(await app.context.http.listen({ port: 0, host: '127.0.0.1' }))?.port)
})
afterAll(() => app.stop())

type Connection = { socket: Socket; received: Promise<string> }

function send(text: string): Promise<Connection> {
  return new Promise(resolve => {
    let response = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, () => resolve({ socket, received })))
    const received = new Promise<string>(end => {
      socket.on('data', data => (response += String(data)))
      socket.on('error', () => {})
      socket.on('close', () => end(response))
    })
  })
}

describe('the size of', () => {
  const quote = (length: number) => {
    const empty = JSON.stringify({ productUUID: '' })
    return JSON.stringify({ productUUID: 'a'.repeat(length - empty.length) })
  }

  test('a body of an authenticated request is at most a mebibyte', async () => {
    const { headers } = await signIn(app, 'agent@azahar.example')
    const ask = async (length: number) => {
      const payload = quote(length)
      expect(Buffer.byteLength(payload)).toBe(length)
      return (await app.ask('/api/quotes', { payload, headers })).status
    }
    expect([await ask(1024 * 1024), await ask(1024 * 1024 + 1)]).toEqual([422, 413])
  })

  test('a body that is announced as too large is refused before it is sent', async () => {
    const head = `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n\r\n`
    const { received, socket } = await send(`${head}{`)
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(0)
    socket.destroy()
    expect(await received).toMatch(/^HTTP\/1\.1 413 [\s\S]*"error":"request\.too_large"/)
  })

  test.each([
    ['an address', `GET /api/nowhere?${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a header', `GET /api/nowhere HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['all headers together', `GET /api/nowhere HTTP/1.1\r\nHost: x\r\n${`X-Many: ${'x'.repeat(100)}\r\n`.repeat(170)}\r\n`],
  ])('%s is at most 16 kB, else it gets the envelope and its connection closes', async (_, text) => {
    const { received } = await send(text)
    const response = await received
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 400, error: 'request.malformed' })
  })

  test('a parameter in a path is at most 200 characters', async () => {
    const reply = await app.ask(`/api/files/${'x'.repeat(201)}`)
    expect([reply.status, reply.body.code]).toEqual([400, 400])
  })
})

describe('the time limits', () => {
  test('are 15 s for headers, 10 min for files, 1 min of silence, for 5 000 connections', () => {
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout, maxConnections } = app.context.http.server
    expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout, maxConnections }).toEqual({
      headersTimeout: 15_000,
      requestTimeout: 600_000,
      timeout: 60_000,
      keepAliveTimeout: 65_000,
      maxConnections: 5_000,
    })
  })

  test('close the connection of a request that is incomplete after 30 s, and no other', async () => {
    // Its read of the database would have timers, too.
    vi.spyOn(app.world.businessClock, 'follow').mockResolvedValue()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { socket, received } = await send(
        'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      )
      await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0)
      vi.advanceTimersByTime(29_999)
      expect((await app.ask('/health/live')).status).toBe(200)
      expect(socket.destroyed).toBe(false)
      vi.advanceTimersByTime(1)
      expect(await received).toBe('')
      expect((await app.ask('/health/live')).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })
})
