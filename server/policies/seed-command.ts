import { parseArgs } from 'node:util'
import { leave, settings } from '#server/command.ts'
import { prepare } from '#server/database/prepare.ts'
import { openDatabase } from '#server/kit/database.ts'
import { scopeOf } from '#server/session/scope.ts'
import { seedPolicies } from './seed/write.ts'

const usage = 'Usage: npm run seed -- --policies N [--unit KEY] [--seed NUMBER]'
const { policies, unit, seed } = given()
const config = settings(process.env)
if (!config.demo) leave('Invented policies are no matter for production.')

const database = await openDatabase(config).catch((error: Error) => leave(error.message))
try {
  await prepare(database, config)
  const place = await database.kysely.selectFrom('business_units').select('id').where('key', '=', unit).executeTakeFirst()
  if (!place) leave(`There is no business unit '${unit}'.`)
  const began = Date.now()
  const rows = await seedPolicies(database, scopeOf(place.id), { many: policies, seed, now: new Date(), show })
  show(0, 0)
  const seconds = (Date.now() - began) / 1000
  console.log(`${policies} policies, ${rows} rows in ${seconds.toFixed(1)} s: ${Math.round(rows / seconds)} rows/s`)
} catch (error) {
  show(0, 0)
  leave(`seed failed: ${(error as Error).message}`)
} finally {
  await database.close()
}

function given(): { policies: number; unit: string; seed: number } {
  const { values } = read()
  const many = Number(values.policies)
  if (!Number.isInteger(many) || many < 1) leave(usage)
  return { policies: many, unit: values.unit ?? 'azahar', seed: Number(values.seed ?? 1) }
}

function read() {
  try {
    return parseArgs({ options: { policies: { type: 'string' }, unit: { type: 'string' }, seed: { type: 'string' } } })
  } catch {
    return leave(usage)
  }
}

function show(done: number, rows: number): void {
  if (!process.stderr.isTTY) return
  const share = done / policies
  const bar = '#'.repeat(Math.round(share * 30)).padEnd(30, '.')
  process.stderr.write(done ? `\r\u001b[K[${bar}] ${Math.floor(share * 100)} % ${rows} rows` : '\r\u001b[K')
}
