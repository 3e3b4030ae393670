import { setTimeout as delay } from 'node:timers/promises'
import type { Agent } from '#testing/agent.ts'
import { type Figure, withoutBaseline } from './compare.ts'

const searches = ['garcia', 'lopez', 'maria', 'perez martin', 'carmen ruiz', 'garcia de la', 'exp-0', 'a']

/** Searches for frequent words that were not counted before. Measures the time of the page, and when the exact count is known after it. */
export async function measureFirstPages(agent: Agent, policies: number): Promise<Figure[]> {
  const [pages, counts]: [number[], number[]] = [[], []]
  for (const searchData of searches) {
    const began = performance.now()
    let reply = await agent.ask('/api/policy/list', { body: { searchData } })
    pages.push(performance.now() - began)
    while (!reply.body.data.totalIsExact) {
      await delay(20)
      reply = await agent.ask('/api/policy/list', { body: { searchData } })
    }
    counts.push(performance.now() - began)
  }
  const work = `first page of a frequent word, ${policies} policies`
  return [
    withoutBaseline({ work: `${work}, slowest of ${searches.length}`, unit: ' ms', target: '≤ 40 ms' }, Math.max(...pages), ms => ms <= 40),
    withoutBaseline({ work: `${work}, exact count after at most`, unit: ' ms', target: '–' }, Math.max(...counts), () => true),
  ]
}
