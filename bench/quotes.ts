import { quoteBody } from '#testing/agent.ts'
import { atLeast, compare, type Figure } from './compare.ts'
import { startEcho } from './echo/start.ts'
import type { Setup } from './setup.ts'
import { headOf, load } from './load.ts'

/** issue 24: a validated and priced quote costs more than an echo, and many callers leave no idle time to spend on it. */
const targets: Record<number, number> = { 1: 0.35, 8: 0.2 }

type Effort = { rounds: number; seconds: number; callers: number[] }

/** Measures an authenticated, priced quote over HTTP, against the minimal echo server. */
export async function benchQuotes({ service, agent, postgres }: Setup, { rounds, seconds, callers }: Effort): Promise<Figure[]> {
  const sample = await agent.ask('/api/quotes', { body: quoteBody(agent) })
  if (sample.status !== 200) throw new Error(`no quote: ${sample.text}`)
  const echo = await startEcho(sample.text.length)
  const body = JSON.stringify(quoteBody(agent))
  const [head, bare] = [headOf('POST', '/api/quotes', agent.headers), headOf('POST', '/', agent.headers)]
  const quoting = (origin: string, first: string, many: number) => async () => {
    const { perSecond } = await load(origin, many, seconds, async connection => {
      const { status } = await connection.ask(first, body)
      if (status !== 200) throw new Error(`answered ${status}`)
    })
    return perSecond
  }
  await quoting(service.origin, head, 8)()
  const figures: Figure[] = []
  for (const many of callers)
    figures.push(
      await compare(
        {
          work: `quotes/s, ${many} callers, ${postgres ? 'PostgreSQL' : 'embedded'}`,
          against: 'bare fastify echo',
          unit: '/s',
          ...atLeast(targets[many]),
          ours: quoting(service.origin, head, many),
          baseline: quoting(echo.origin, bare, many),
        },
        rounds,
      ),
    )
  await echo.stop()
  return figures
}
