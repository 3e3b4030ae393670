import { quoteBody } from '#fault-tests/harness/agent.ts'
import { compare, type Figure } from './compare.ts'
import { startEcho } from './echo/start.ts'
import type { Ground } from './setup.ts'
import { headOf, load } from './load.ts'

type Effort = { rounds: number; seconds: number; callers: number[] }

/** design 8: a quote over HTTP, authenticated and priced, against the bare echo. */
export async function benchQuotes({ service, agent, postgres }: Ground, { rounds, seconds, callers }: Effort): Promise<Figure[]> {
  const sample = await agent.ask('/api/quotes', { body: quoteBody(agent) })
  if (sample.status !== 200) throw new Error(`no quote: ${sample.text}`)
  const echo = await startEcho(sample.text.length)
  const body = JSON.stringify(quoteBody(agent))
  const [head, bare] = [headOf('POST', '/api/quotes', agent.headers), headOf('POST', '/', agent.headers)]
  const asking = (origin: string, first: string, many: number) => async () => {
    const { perSecond } = await load(origin, many, seconds, async line => {
      const { status } = await line.ask(first, body)
      if (status !== 200) throw new Error(`answered ${status}`)
    })
    return perSecond
  }
  await asking(service.origin, head, 8)()
  const figures: Figure[] = []
  for (const many of callers)
    figures.push(
      await compare(
        {
          work: `quotes/s, ${many} callers, ${postgres ? 'PostgreSQL' : 'embedded'}`,
          against: 'bare fastify echo',
          unit: '/s',
          reach: '≥ 0.6',
          reached: ratio => ratio >= 0.6,
          ours: asking(service.origin, head, many),
          theirs: asking(echo.origin, bare, many),
        },
        rounds,
      ),
    )
  await echo.stop()
  return figures
}
