import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { type Agent, type Ask, asker, sell, signIn } from '#testing/agent.ts'
import { freePort } from '#testing/postgres.ts'
import { sellUntil } from '#fault-tests/harness/sellers.ts'
import { chunk, png } from '#server/kit/upload/testing.ts'
import { multipart } from '#server/tickets/testing.ts'
import { lettersTo, openForSale, seller } from '../release/unpacked.ts'
import { until } from '../until.ts'
import type { Check } from './samples.ts'
import { type Proxy, startCaddy, startNginx } from './proxy.ts'
import { compose, given } from './samples.ts'
import { openTown, type Town } from './town.ts'

/** Runs two nodes of a release behind each proxy in turn. Browsers must get the same responses from each. */
export async function proxyChecks(check: Check): Promise<void> {
  const [port, plainPort] = [await freePort(), await freePort()]
  const town = await openTown(`https://localhost:${port}`)
  try {
    await check('the release starts on PostgreSQL with the settings of compose.yaml', () => {
      const megabytes = (statSync(town.archive).size / 1e6).toFixed(1)
      equal(
        basename(town.archive, '.tar.gz'),
        given('ARG')
          .join(' ')
          .match(/RELEASE=(\S+)/)?.[1]
          ?.replace('linux-x64', `${process.platform}-${process.arch}`),
      )
      return `archive ${megabytes} MB, ready after ${town.nodes.map(({ readyMs }) => Math.round(readyMs)).join(' and ')} ms, both at once`
    })
    await check('the programs that ask for its health say yes of a node, and no where there is none', async () => {
      // Safe: the pattern matches a list of strings.
      const image = JSON.parse(/CMD (\[.*\])$/.exec(given('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]') as string[]
      const [, ...inCompose] = compose().services.one.healthcheck.test
      const free = await freePort()
      for (const [, flag = '', script = ''] of [image, inCompose])
        for (const [asked, status] of [
          [town.ports[0], 0],
          [free, 1],
        ] as const) {
          const here = script.replace('127.0.0.1:3000', `127.0.0.1:${asked}`)
          equal(spawnSync(process.execPath, [flag, here], { env: { PORT: String(asked) } }).status, status)
        }
    })
    await check('caddy: a write reaches a node that serves, even while no node counts as ready', () =>
      beforeCaddy(join(town.folder, 'unready'), [503, 503], async origin => {
        equal((await fetch(origin, { method: 'POST', body: 'x' })).status, 200)
      }),
    )
    await check('caddy: while a node stops, no write of many at once reaches it', () =>
      beforeCaddy(join(town.folder, 'stopping'), [503, 200], async (origin, written) => {
        const post = async () => equal((await fetch(origin, { method: 'POST', body: 'x' })).status, 200)
        // So many requests, as a counter shared by requests chose the wrong node once in ten thousand.
        for (let turn = 0; turn < 400; turn++) await Promise.all(Array.from({ length: 50 }, post))
        deepEqual(written, [0, 20_000])
      }),
    )
    let agent: Agent | undefined
    for (const start of [startCaddy, startNginx]) {
      const proxy = await start(town.folder, port, plainPort, town.ports)
      const ask = asker(() => proxy.origin)
      agent ??= await openForSale(ask, town.token, town.mailbox)
      await behind(check, proxy, town, agent, ask)
      await proxy.stop()
    }
  } finally {
    await town.close()
  }
}

/** Starts Caddy in front of two nodes that answer its health checks with these statuses. `written` counts the writes that reach each. */
async function beforeCaddy(folder: string, checks: number[], act: (origin: string, written: number[]) => Promise<void>): Promise<void> {
  const [looks, written] = [
    [0, 0],
    [0, 0],
  ]
  const count = (of: number[], index: number) => (of[index] = (of[index] ?? 0) + 1)
  const nodes = checks.map((status, index) =>
    createServer((request, response) => {
      const isLook = request.url === '/health/ready'
      count(isLook ? looks : written, index)
      response.writeHead(isLook ? status : 200).end()
    }).listen(0, '127.0.0.1'),
  )
  await Promise.all(nodes.map(node => once(node, 'listening')))
  // Safe: they listen on ports.
  const ports = nodes.map(node => (node.address() as AddressInfo).port)
  const proxy = await startCaddy(folder, await freePort(), await freePort(), ports)
  try {
    // When it checks again, the previous response has been counted.
    await until('two looks at each node', () => looks.every(times => times > 1))
    await act(proxy.origin, written)
  } finally {
    await proxy.stop()
    for (const node of nodes) {
      node.closeAllConnections()
      node.close()
    }
  }
}

async function behind(check: Check, proxy: Proxy, town: Town, agent: Agent, ask: Ask): Promise<void> {
  const { name } = proxy
  await check(`${name}: a policy is sold through it, its papers are handed out by both nodes, and its mail arrives`, async () => {
    const before = lettersTo(town.mailbox, 'ana@example.es').length
    const sold = await sell(agent)
    const [{ uuid }] = sold.files
    const documents = await Promise.all(Array.from({ length: 4 }, () => agent.ask(`/api/files/${uuid}`)))
    deepEqual([...new Set(documents.map(({ status }) => status))], [200])
    await until('the email of the sale', () => lettersTo(town.mailbox, 'ana@example.es').length > before)
  })
  await check(`${name}: nothing is sticky: one who asks over one connection is answered by both nodes`, async () => {
    const before = await Promise.all(town.nodes.map(({ origin }) => answeredBy(origin)))
    // Caddy chooses at random: only one node would be asked once in a thousand billion times.
    for (let turn = 0; turn < 40; turn++) equal((await agent.ask('/api/users/me')).status, 200)
    const after = await Promise.all(town.nodes.map(({ origin }) => answeredBy(origin)))
    for (const [index, count] of after.entries()) ok(count > (before[index] ?? 0), `node ${index} was not asked`)
  })
  await check(`${name}: the service knows that it is https and who asks; what a client says of that is not believed`, async () => {
    const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
    const reply = await ask('/', { headers: { accept: 'text/html', ...forged } })
    match(reply.headers.get('strict-transport-security') ?? '', /max-age=\d+/)
    const cookies: string[] = []
    const askForged = asker(
      () => proxy.origin,
      (_path, { headers }) => void cookies.push(...headers.getSetCookie()),
    )
    await signIn((path, asking = {}) => askForged(path, { ...asking, headers: { ...asking.headers, ...forged } }), seller)
    match(cookies.join('\n'), /^__Host-session=.*; Secure/im)
    const sessions = JSON.stringify((await agent.ask('/api/users/me/sessions')).body)
    ok(sessions.includes('127.0.0.') && !sessions.includes('203.0.113.'), sessions)
  })
  await check(`${name}: ten files of 10 MB pass in one claim, come back the same, and a body of 120 MB is refused`, async () => {
    const types = (await agent.ask('/api/tickets/types')).body.data
    const type = types.find((each: { kind: string }) => each.kind === 'claim')
    const big = png([chunk('tEXt', Buffer.alloc(10_000_000 - 200, 'x'))])
    const fields = { typeUuid: type.uuid, incidentDate: '2026-01-15', subject: 'Ten', description: 'x', ...reachedAt }
    const { policyData } = await sell(agent)
    const filed = await send(
      agent,
      '/api/tickets/claims',
      { ...fields, policyNumber: policyData.policyNumber },
      Array.from({ length: 10 }, () => big),
    )
    equal(filed.status, 200, filed.text.slice(0, 400))
    const { body } = await agent.ask('/api/tickets/detail', { body: { ticketUuid: filed.body.data.ticketUuid } })
    const { files } = body.data
    equal(files.length, 10)
    const back = await fetch(new URL(`/api/files/${files[9].uuid}`, proxy.origin), { headers: agent.headers })
    equal(digest(Buffer.from(await back.arrayBuffer())), digest(big))
    const over = await send(
      agent,
      '/api/tickets/claims',
      fields,
      Array.from({ length: 12 }, () => big),
    ).catch(() => undefined)
    ok(!over || over.status === 413, `a body of 120 MB was answered with ${over?.status}`)
    ok(!/temporary file/.test(proxy.log()), proxy.log().slice(-500))
  })
  await check(`${name}: a node is stopped and started again, one after the other, while four sell: no sale fails`, async () => {
    let over = false
    // Safe: only sales by card use the network.
    const selling = sellUntil({ agent, network: undefined as never }, 4, () => over)
    for (const [index, port] of town.ports.entries()) {
      await proxy.takeOut(port)
      equal(await town.stop(index), 0)
      await town.start(index)
      await proxy.takeOut(0)
      // The next node stops only after the proxy uses this one again.
      await until(`a request that reaches node ${index}`, async () => {
        await agent.ask('/api/users/me')
        return (await answeredBy(town.nodes[index]?.origin ?? '')) > 0
      })
    }
    over = true
    const { sales, cut, deferred, problems } = await selling
    deepEqual({ deferred, problems }, { deferred: 0, problems: [] })
    // A reload of nginx closes idle connections. A request at that moment must be retried with the same key.
    if (name !== 'nginx') equal(cut, 0)
    equal(new Set(sales.map(({ number }) => number)).size, sales.length)
    ok(sales.length > 0)
    return `${sales.length} sold, 0 failed, ${cut} sent again`
  })
  await check(`${name}: 503 of a service that is looked after is passed on with its Retry-After`, async () => {
    for (const index of town.ports.keys()) {
      await town.stop(index)
      await town.start(index, { MAINTENANCE: 'true' })
    }
    const call = await until('a response of maintenance', async () => {
      const reply = await agent.ask('/api/users/me')
      return reply.body?.error === 'service.unavailable' ? reply : undefined
    })
    const page = await ask('/', { headers: { accept: 'text/html' } })
    deepEqual([call.status, call.headers.get('retry-after'), page.status, page.headers.get('retry-after')], [503, '30', 503, '30'])
    for (const index of town.ports.keys()) {
      await town.stop(index)
      await town.start(index)
    }
    await until('a response without maintenance', async () => (await agent.ask('/api/users/me').catch(() => undefined))?.status === 200)
  })
}

const reachedAt = { contactEmail: 'ana@example.es', contactPhone: '+34 612 345 678' }
const digest = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

function send(agent: Agent, path: string, fields: Record<string, unknown>, contents: Buffer[]) {
  const { body, type } = multipart(
    fields,
    contents.map((content, index) => ({ name: `photo-${index}.png`, content })),
  )
  const headers = { 'content-type': type, 'idempotency-key': randomUUID() }
  return agent.ask(path, { payload: new Uint8Array(body), headers, timeoutMs: 300_000 })
}

/** Returns how often a node has served the signed-in user, by its own count. */
async function answeredBy(origin: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', origin))).text()
  return [...text.matchAll(/^portolan_call_seconds_count\{.*path="\/api\/users\/me".*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
}
