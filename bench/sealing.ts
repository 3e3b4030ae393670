import { join } from 'node:path'
import type { Postgres } from '#testing/postgres.ts'
import { compare, type Figure } from './compare.ts'
import { seed } from './filled.ts'
import { headOf, load } from './load.ts'
import { seller } from './sale/seller.ts'
import { openSetup, type Setup, startDatabase } from './setup.ts'

type Effort = { rounds: number; seconds: number }

const page = { page: 1, perPage: 10, export: false, searchData: '', sortCriteria: [] }
const unsealed = ['--import', join(import.meta.dirname, 'unsealed.ts')]
const sellers = 8

/** Measures lists, searches and sales with encrypted numbers. The same without encryption runs in a separate database and service. */
export async function benchSealing(policies: number, effort: Effort): Promise<Figure[]> {
  const postgres = await startDatabase()
  const sealed = await openSide(postgres, 'portolan', policies, [])
  await postgres.query('create database unsealed', 'postgres')
  const open = await openSide(postgres, 'unsealed', policies, unsealed)
  const lists = {
    'first page': page,
    'search by name': { ...page, searchData: 'garcia' },
    'search by document': { ...page, searchData: await someNumber(sealed) },
  }
  const figures: Figure[] = []
  for (const body of Object.values(lists)) await demandSame(body, [sealed, open])
  for (const [what, body] of Object.entries(lists))
    figures.push(await compareLists(`${what}, ${policies} policies`, body, [sealed, open], effort))
  figures.push(await compareSales(policies, [sealed, open], effort))
  await open.stop()
  await sealed.stop()
  await postgres.remove()
  return figures
}

type Sides = [sealed: Setup, open: Setup]

async function openSide(postgres: Postgres, database: string, policies: number, node: string[]): Promise<Setup> {
  const environment = { DATABASE_URL: postgres.url(database), FILE_STORE: `file:${join(postgres.folder, `files-${database}`)}` }
  seed({ policies, others: 0 }, environment, { node })
  return openSetup(postgres, { ...environment, JOBS: 'off' }, node)
}

/** Returns the document number of a person on a policy. */
async function someNumber({ agent }: Setup): Promise<string> {
  const listed = await agent.ask('/api/policy/list', { body: page })
  const detail = await agent.ask('/api/policy/detail', { body: { policyUuid: listed.body.data.policies[0].policyUuid } })
  const numbers: string[] = detail.body.data.users.flatMap(({ docNumber }: { docNumber: string | null }) => docNumber ?? [])
  return numbers[0] ?? ''
}

/** Throws unless both sides have the same work, as their times would mean nothing. Their first responses also warm them up. */
async function demandSame(body: object, sides: Sides): Promise<void> {
  const totals: unknown[] = []
  for (const { agent } of sides) totals.push((await agent.ask('/api/policy/list', { body })).body.data.total)
  if (totals[0] !== totals[1] || totals[0] === 0) throw new Error(`the sides find ${totals.join(' and ')} policies`)
}

async function compareLists(work: string, body: object, [sealed, open]: Sides, { rounds, seconds }: Effort): Promise<Figure> {
  const mean = ({ service, agent }: Setup) => {
    const [head, text] = [headOf('POST', '/api/policy/list', agent.headers), JSON.stringify(body)]
    return async () => {
      const measured = await load(service.origin, 1, seconds, async connection => {
        const { status } = await connection.ask(head, text)
        if (status !== 200) throw new Error(`the list answered ${status}`)
      })
      return 1000 / measured.perSecond
    }
  }
  for (const side of [open, sealed]) await mean(side)()
  return compare(
    {
      work: `${work}, sealed, mean`,
      against: 'the same unsealed',
      unit: ' ms',
      target: '≤ 1.05',
      met: ratio => ratio <= 1.05,
      ours: mean(sealed),
      baseline: mean(open),
    },
    rounds,
  )
}

async function compareSales(policies: number, [sealed, open]: Sides, { rounds, seconds }: Effort): Promise<Figure> {
  const selling = (side: Setup) => async () => (await load(side.service.origin, sellers, seconds, seller(side.agent))).perSecond
  for (const side of [open, sealed]) await selling(side)()
  return compare(
    {
      work: `sales/s, ${sellers} callers, next to ${policies} policies, sealed`,
      against: 'the same unsealed',
      unit: '/s',
      target: '≥ 0.95',
      met: ratio => ratio >= 0.95,
      ours: selling(sealed),
      baseline: selling(open),
    },
    rounds,
  )
}
