import type { OutgoingHttpHeaders } from 'node:http'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type App, type AppOptions, openApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { type Files, openFiles } from '#server/documents/files.ts'
import { openStore } from '#server/documents/open-store.ts'
import type { Typesetter } from '#server/documents/public.ts'
import { type Database, openDatabase } from './database.ts'
import { createIn, dropIn, embeddedCopy, serverCopy, urlOf } from '#server/kit/store/testing-copies.ts'
import { inServer } from '#server/kit/store/testing-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The database that every test gets a copy of (tools/suite/setup.ts). */
    template: { dump: string } | { server: string; name: string }
  }
}

const filesFolder = join(import.meta.dirname, '../../.cache/test-files')

/** Returns a configuration for tests: the demo, with silent logs and hardly any limits. */
export function testConfig(environment: Record<string, string> = {}): Config {
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '1000000',
    QUOTES_PER_MINUTE: '1000000/1000000',
    EXPORTS_PER_MINUTE: '1000000/1000000',
    MAILS_PER_MINUTE: '1000000/1000000',
    SALES_PER_MINUTE: '1000000/1000000',
    LOOKS_PER_MINUTE: '1000000/1000000',
    // A test that wants a reply to wait for its documents sets this.
    DOCUMENTS_WAIT_MS: '0',
    FILE_STORE: `file:${filesFolder}`,
    SECRETS_KEY: Buffer.alloc(32, 'test').toString('base64'),
    ...environment,
  })
  if (Array.isArray(config)) throw new Error(JSON.stringify(config))
  return config
}

/** Opens a database for one test, with schema and demo. It is embedded, or on the server of TEST_DATABASE_URL. */
export async function testDatabase(): Promise<Database> {
  const template = inject('template')
  return 'server' in template ? serverCopy(template.server, template.name) : embeddedCopy(template.dump)
}

/** Returns the file of the template. Only for tests of the embedded database, which do not run on a server. */
export function dumpOfTemplate(): string {
  const template = inject('template')
  if ('server' in template) throw new Error('a server has no dump')
  return template.dump
}

/** Opens an empty database if the tests run on a server. Its owner has only the rights that docs/operations.md asks for in production. */
export async function emptyServerDatabase(): Promise<Database | undefined> {
  const template = inject('template')
  if (!('server' in template)) return undefined
  await inServer(template.server, async client => {
    const { rows } = await client.query("select from pg_roles where rolname = 'portolan_keeper'")
    if (rows.length === 0) await client.query(`create role portolan_keeper login nocreaterole password 'kept'`)
    await client.query('grant portolan_app, portolan_admin, portolan_service, portolan_privacy to portolan_keeper')
  }).catch((error: { code?: string }) => {
    // Another test file has created the role at the same moment.
    if (error.code !== '23505' && error.code !== '42710') throw error
  })
  const name = await createIn(template.server, template.name, { from: 'template0', owner: 'portolan_keeper' })
  const url = new URL(urlOf(template.server, name))
  Object.assign(url, { username: 'portolan_keeper', password: 'kept' })
  const database = await openDatabase({ DATABASE_URL: url.href, DATABASE_POOL: 6, DATA_DIR: '' })
  return {
    ...database,
    async close() {
      await database.close()
      await dropIn(template.server, name)
    },
  }
}

/** Returns the port that a server listens on. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  return address.port
}

/** The app, its stored files, and `ask`, which sends it a request without a network. */
export type TestApp = App & { files: Files; ask(path: string, options?: AskOptions): Promise<TestReply> }
type AskOptions = { method?: string; body?: unknown; headers?: Record<string, string>; payload?: string; remoteAddress?: string }
export type TestReply = { status: number; body: any; headers: OutgoingHttpHeaders; text: string; bytes: Buffer }

/** The processes that rendered documents for earlier tests of this process. Starting one takes longer than what most tests render. */
export const idleRenderers: Typesetter[] = []

/** Opens the real app with a copy of the test database. */
export async function testApp(environment: Record<string, string> = {}, options: AppOptions = {}): Promise<TestApp> {
  return inProcess(await openApp(testConfig(environment), await testDatabase(), { idleRenderers, ...options }))
}

export function inProcess(app: App): TestApp {
  return {
    ...app,
    files: openFiles(app.world, openStore(app.world.config)),
    async ask(path, { method, body, headers = {}, payload, remoteAddress } = {}) {
      const sent = payload ?? (body === undefined ? undefined : JSON.stringify(body))
      const reply = await app.context.http.inject({
        // Safe: the service has no other methods than those of this type.
        method: (method ?? (sent === undefined ? 'GET' : 'POST')) as 'GET',
        url: path,
        headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(sent === undefined ? {} : { payload: sent }),
        ...(remoteAddress ? { remoteAddress } : {}),
      })
      return {
        status: reply.statusCode,
        body: readJson(reply.payload),
        headers: reply.headers,
        text: reply.payload,
        bytes: reply.rawPayload,
      }
    },
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
