import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'vite'
import { addDays, today } from '#common/kit/dates.ts'
import { reach } from '#common/policies/testing.ts'
import { type Agent, ana, type Json, productOf, sell } from '#testing/agent.ts'
import { openBrowser } from '#tools/open-browser.ts'
import { compare, type Figure, median, withoutBaseline } from './compare.ts'
import { headOf, load } from './load.ts'
import { type Asked, timePreviews } from './preview.ts'
import type { Setup } from './setup.ts'

type Effort = { rounds: number; seconds: number }

const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
const post = async (agent: Agent, path: string, body: object): Promise<Json> => {
  const reply = await agent.ask(`/api/policy/${path}`, { body, headers: { 'idempotency-key': randomUUID() } })
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`)
  return reply.body.data
}

/** issue 21: a preview by the rules alone and over HTTP, and the largest change. */
export async function benchChanges({ service, agent, postgres }: Setup, { rounds, seconds }: Effort): Promise<Figure[]> {
  const on = postgres ? 'PostgreSQL' : 'embedded'
  const couple = await sell(agent)
  const longer = { endDate: addDays(start, 11) }
  const timed = (path: string, body: object) => async () => {
    const { perSecond } = await load(service.origin, 1, seconds, async connection => {
      const { status } = await connection.ask(headOf('POST', `/api/policy/${path}`, agent.headers), JSON.stringify(body))
      if (status !== 200) throw new Error(`${path} answered ${status}`)
    })
    return 1000 / perSecond
  }
  const { policyUuid } = couple
  const swaps: number[] = []
  for (let round = 0; round < rounds; round++) swaps.push(await swapAll(agent, await sellToGroup(agent, round), round))
  return [
    await compare(
      {
        work: `preview over HTTP, ${on}`,
        against: 'detail of the policy',
        unit: ' ms',
        target: '≤ 1',
        met: ratio => ratio <= 1,
        ours: timed('change/preview', { policyUuid, version: 1, change: longer }),
        baseline: timed('detail', { policyUuid }),
      },
      rounds,
    ),
    withoutBaseline({ work: `200 travellers swapped, ${on}`, unit: ' ms', target: '≤ 300 ms' }, median(swaps), ms => ms <= 300),
  ]
}

/** issue 21: the preview that the browser computes at each key, in this process and in the browser. */
export async function benchPreviews({ agent }: Setup, rounds: number): Promise<Figure[]> {
  const group = await sellToGroup(agent, 1000)
  const asked: [string, Asked][] = [
    ['a couple, later end', await askedOf(agent, (await sell(agent)).policyUuid, { endDate: addDays(start, 11) })],
    ['200 travellers, later end', await askedOf(agent, group, { endDate: addDays(start, 11) })],
    ['200 travellers, all swapped', await askedOf(agent, group, { users: peopleOf(1, 1000) })],
  ]
  const times = (each: Asked) => (each.terms.policy.people.length > 2 ? 50 : 500)
  const figures: Figure[] = []
  const add = (work: string, found: { first: number; half: number }[]) => {
    const named = { work: `preview, ${work}`, unit: ' ms', target: '≤ 5 ms' }
    figures.push(withoutBaseline(named, median(found.map(({ half }) => half)), ms => ms <= 5))
    figures.push(
      withoutBaseline({ ...named, work: `${named.work}, the first`, target: '–' }, median(found.map(({ first }) => first)), () => true),
    )
  }
  for (const [work, each] of asked)
    add(
      `${work}, Node`,
      Array.from({ length: rounds }, () => timePreviews(each, times(each))),
    )
  const browser = await openBrowser()
  try {
    const script = await bundled()
    for (const [work, each] of asked) {
      const found: { first: number; half: number }[] = []
      for (let round = 0; round < rounds; round++) {
        const page = await browser.newPage()
        await page.addScriptTag({ content: script })
        found.push(await page.evaluate(`bench.timePreviews(${JSON.stringify(each)}, ${times(each)})`))
        await page.close()
      }
      add(`${work}, browser`, found)
    }
  } finally {
    await browser.close()
  }
  return figures
}

/** Returns the rules as one script, built as the portal is. */
async function bundled(): Promise<string> {
  const lib = { entry: join(import.meta.dirname, 'preview.ts'), name: 'bench', formats: ['iife' as const] }
  const built = await build({ configFile: false, logLevel: 'error', build: { lib, write: false, minify: true, target: 'es2023' } })
  const [file] = [built].flat().flatMap(each => ('output' in each ? each.output : []))
  if (file?.type !== 'chunk') throw new Error('the rules were not built')
  return file.code
}

async function askedOf(agent: Agent, policyUuid: string, change: Asked['change']): Promise<Asked> {
  const terms = await post(agent, 'change/terms', { policyUuid })
  const { configuration } = (await agent.ask('/api/business-unit/settings')).body.data
  const { locale, country, showSecondLastName, earliestBirthDate } = configuration
  return { terms, form: { locale, country, showSecondLastName, earliestBirthDate, today: today(new Date(), 'Europe/Madrid') }, change }
}

/** Returns two hundred people with passports. Each generation has its own names and documents. */
const peopleOf = (generation: number, group: number): Json[] =>
  Array.from({ length: 200 }, (_, index) => ({
    name: ['Alba', 'Bruno', 'Carla', 'Diego'][index % 4],
    middleName: ['Serra', 'Vidal'][generation % 2],
    lastName: `${String.fromCodePoint(65 + (index % 26))}${'aeiou'[Math.floor(index / 26) % 5]}ri`,
    birthDate: ana.birthDate,
    documentKind: 'passport',
    docNumber: `P${generation}${String(group * 1000 + index).padStart(7, '0')}`,
    ...(index === 0 ? reach : {}),
  }))

async function sellToGroup(agent: Agent, group: number): Promise<string> {
  const { uuid } = productOf(agent, 'GRP')
  const { policyUuid } = await sell(agent, { productUUID: uuid, paxNumber: 200, users: peopleOf(0, group) })
  return policyUuid
}

/** Replaces everyone of a group in one change. Returns its milliseconds. */
async function swapAll(agent: Agent, policyUuid: string, group: number): Promise<number> {
  const change = { users: peopleOf(1, group) }
  const { difference } = await post(agent, 'change/preview', { policyUuid, version: 1, change })
  const began = performance.now()
  await post(agent, 'change', { policyUuid, version: 1, change, expectedDifference: difference.total })
  return performance.now() - began
}
