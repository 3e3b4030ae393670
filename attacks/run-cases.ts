import { cases } from './cases.ts'
import type { Case, Scenario } from './scenario.ts'
import type { Oracle } from './oracle.ts'

export type Outcome = { id: string; title: string; verdict: 'passed' | 'failed'; problems: string[]; responses: number; ms: number }

/** Runs each case, then the oracle's checks. */
export async function runCases(
  scenario: Scenario,
  oracle: Oracle,
  chosen: (each: Case) => boolean,
  say: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const each of cases.filter(chosen)) {
    const outcome = await runCase(scenario, oracle, each)
    outcomes.push(outcome)
    say(outcome)
  }
  return outcomes
}

async function runCase(scenario: Scenario, oracle: Oracle, each: Case): Promise<Outcome> {
  const { id, title, needs = [] } = each
  const missing = needs.filter(call => !scenario.served.has(call))
  if (missing.length > 0)
    return { id, title, verdict: 'failed', problems: missing.map(call => `${call} is not served`), responses: 0, ms: 0 }
  await oracle.before()
  const [began, before] = [performance.now(), scenario.responses.length]
  const own = await each.run(scenario).then(
    () => [],
    (error: unknown) => [describe(error)],
  )
  const ms = performance.now() - began
  const responses = scenario.responses.length - before
  const problems = [...own, ...(await oracle.findProblems(each))]
  return { id, title, verdict: problems.length > 0 ? 'failed' : 'passed', problems, responses, ms }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const location = /attacks\/[\w/-]+\.ts:\d+/.exec(error.stack ?? '')?.[0] ?? ''
  return `${error.message.replaceAll(/\s+/g, ' ').slice(0, 300)} (${location})`
}
