import { cases } from './cases.ts'
import type { Case, Field } from './field.ts'
import type { Oracle } from './oracle.ts'

export type Outcome = { id: string; title: string; verdict: 'held' | 'fell'; faults: string[]; answers: number; ms: number }

/** Plays each case, and after it the oracle. */
export async function play(
  field: Field,
  oracle: Oracle,
  chosen: (each: Case) => boolean,
  say: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const each of cases.filter(chosen)) {
    const outcome = await playOne(field, oracle, each)
    outcomes.push(outcome)
    say(outcome)
  }
  return outcomes
}

async function playOne(field: Field, oracle: Oracle, each: Case): Promise<Outcome> {
  const { id, title, needs = [] } = each
  const missing = needs.filter(call => !field.served.has(call))
  if (missing.length > 0) return { id, title, verdict: 'fell', faults: missing.map(call => `${call} is not served`), answers: 0, ms: 0 }
  await oracle.before()
  const [began, answered] = [performance.now(), field.answers.length]
  const own = await each.run(field).then(
    () => [],
    (error: unknown) => [describe(error)],
  )
  const ms = performance.now() - began
  const answers = field.answers.length - answered
  const faults = [...own, ...(await oracle.faults(each))]
  return { id, title, verdict: faults.length > 0 ? 'fell' : 'held', faults, answers, ms }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = /attacks\/[\w-]+\.ts:\d+/.exec(error.stack ?? '')?.[0] ?? ''
  return `${error.message.replaceAll(/\s+/g, ' ').slice(0, 300)} (${place})`
}
