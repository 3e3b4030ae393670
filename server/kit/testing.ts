import { type App, type Given, openApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { migrate } from '#server/database/migrate.ts'
import { type Database, databaseOf } from './database.ts'
import { openEmbedded } from './embedded.ts'

/** A configuration as the tests want it: the demo, silent. */
export function testConfig(environment: Record<string, string> = {}): Config {
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '1000000', ...environment })
  if (Array.isArray(config)) throw new Error(JSON.stringify(config))
  return config
}

/** A database of the test file's own, already migrated. */
export async function testDatabase(): Promise<Database> {
  const embedded = await openEmbedded({ memory: true })
  const database = databaseOf(embedded.pool, true, () => embedded.close())
  await migrate(database)
  return database
}

export type TestApp = App & { ask(path: string, options?: AskOptions): Promise<TestReply> }
export type AskOptions = { method?: string; body?: unknown; headers?: Record<string, string>; payload?: string }
export type TestReply = { status: number; body: any; headers: Record<string, any>; text: string }

/** The real app, asked in-process. */
export async function testApp(environment: Record<string, string> = {}, given: Given = {}): Promise<TestApp> {
  const app = await openApp(testConfig(environment), await testDatabase(), given)
  return {
    ...app,
    async ask(path, { method, body, headers = {}, payload } = {}) {
      const sent = payload ?? (body === undefined ? undefined : JSON.stringify(body))
      const reply = await app.front.http.inject({
        method: (method ?? (sent === undefined ? 'GET' : 'POST')) as 'GET',
        url: path,
        headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(sent === undefined ? {} : { payload: sent }),
      })
      return { status: reply.statusCode, body: readJson(reply.payload), headers: reply.headers, text: reply.payload }
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
