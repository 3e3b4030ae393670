import { parseArgs } from 'node:util'
import { leave, commandSettings } from '#server/command.ts'
import { prepare } from '#server/database/prepare.ts'
import { type Database, openDatabase } from '#server/kit/database.ts'
import { openSecrets } from '#server/kit/store/secrets.ts'
import { scopeOf } from '#server/session/public.ts'
import { type Progress, seedPolicies } from './write.ts'

const usage = 'Usage: npm run seed -- --policies N [--unit KEY] [--others N: so many more, spread over the other units] [--seed NUMBER]'
const { policies, unit, others, seed } = optionsGiven()
const config = commandSettings(process.env)
if (!config.demo) leave('Invented policies are refused in production.')

const database = await openDatabase(config)
try {
  await prepare(database, config)
  const shares = await sharesOf(database)
  const began = Date.now()
  const rows = await seedPolicies({ database, secrets: openSecrets(config) }, shares, { seed, now: new Date(), show })
  clear()
  const seconds = (Date.now() - began) / 1000
  console.log(`${policies + others} policies, ${rows} rows in ${seconds.toFixed(1)} s: ${Math.round(rows / seconds)} rows/s`)
} catch (error) {
  clear()
  leave(`seed failed: ${error instanceof Error ? error.message : String(error)}`)
} finally {
  await database.close()
}

async function sharesOf(database: Database) {
  const units = await database.asService(tx => tx.selectFrom('business_units').select(['id', 'key']).orderBy('key').execute())
  const named = units.find(({ key }) => key === unit)
  if (!named) leave(`There is no business unit '${unit}'.`)
  const rest = units.filter(each => each !== named)
  if (others > 0 && rest.length === 0) leave('There is no other business unit.')
  const shares = rest.map(({ id }, index) => ({
    id,
    many: Math.floor((others * (index + 1)) / rest.length) - Math.floor((others * index) / rest.length),
  }))
  return [{ id: named.id, many: policies }, ...shares].filter(({ many }) => many > 0).map(({ id, many }) => ({ scope: scopeOf(id), many }))
}

function optionsGiven(): { policies: number; unit: string; others: number; seed: number } {
  const { values } = read()
  const policies = Number(values.policies)
  const others = Number(values.others ?? 0)
  if (!Number.isInteger(policies) || policies < 1 || !Number.isInteger(others) || others < 0) leave(usage)
  return { policies, unit: values.unit ?? 'azahar', others, seed: Number(values.seed ?? 1) }
}

function read() {
  try {
    const text = { type: 'string' } as const
    return parseArgs({ options: { policies: text, unit: text, others: text, seed: text } })
  } catch {
    return leave(usage)
  }
}

function show({ policies: done, rows, indexes }: Progress): void {
  if (!process.stderr.isTTY) return
  const share = done / (policies + others)
  const bar = '#'.repeat(Math.round(share * 30)).padEnd(30, '.')
  const rest = indexes ? `, index ${indexes.done + 1} of ${indexes.of}` : ''
  process.stderr.write(`\r\u001b[K[${bar}] ${Math.floor(share * 100)} % ${rows} rows${rest}`)
}

function clear(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}
