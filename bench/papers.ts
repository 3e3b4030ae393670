import { openMailServer } from '#drills/rig/mailbox.ts'
import { sell } from '#drills/rig/agent.ts'
import { certificate } from '#server/documents/papers/certificate.ts'
import { openPress } from '#server/documents/papers/press.ts'
import { openDatabase } from '#server/kit/database.ts'
import { loadWords } from '#server/kit/words.ts'
import { readFacts } from '#server/policies/find/facts.ts'
import { scopeOf } from '#server/session/scope.ts'
import { alone, type Figure, median } from './compare.ts'
import { openGround } from './ground.ts'

type Sold = { folder: string; unitId: string; policyUuid: string }

/** design 8: certificates on one core, and how long after a purchase was asked for its mail, with the papers, is with a mail server. */
export async function benchPapers({ rounds, seconds }: { rounds: number; seconds: number }): Promise<Figure[]> {
  let arrived = () => {}
  const post = await openMailServer(() => arrived())
  const ground = await openGround(undefined, { SMTP_URL: post.url })
  const waits: number[] = []
  let policyUuid = ''
  for (let sale = 0; sale < rounds * 4; sale++) {
    const mail = new Promise<void>(resolve => (arrived = resolve))
    const began = performance.now()
    policyUuid = (await sell(ground.agent)).policyUuid
    await mail
    waits.push(performance.now() - began)
  }
  // One database has one owner at a time.
  await ground.service.stop()
  const rates = await printed({ folder: ground.folder, unitId: ground.agent.unitId, policyUuid }, rounds, seconds)
  await ground.stop()
  await post.stop()
  const mail = { work: 'from asking for a sale to its mail’s arrival', unit: ' ms', reach: '≤ 2000 ms' }
  return [
    alone({ work: 'certificates/s, a core’s time', unit: '/s', reach: '≥ 50' }, median(rates), rate => rate >= 50),
    alone(mail, median(waits), ms => ms <= 2000),
    alone({ ...mail, work: `${mail.work}, the slowest of ${waits.length}` }, Math.max(...waits), ms => ms <= 2000),
  ]
}

/** By the processor's time and not by the clock: what else the machine does takes the thread's turn, not its speed. */
async function printed({ folder, unitId, policyUuid }: Sold, rounds: number, seconds: number): Promise<number[]> {
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_POOL: 2 })
  const scope = scopeOf(unitId)
  const facts = await database.inScope(scope, tx => readFacts(scope, tx, policyUuid))
  await database.close()
  if (!facts) throw new Error('the policy is not there')
  const words = loadWords()
  const press = openPress()
  const rates: number[] = []
  for (let round = 0; round < rounds + 1; round++) {
    const busy = process.cpuUsage()
    const until = performance.now() + seconds * 1000
    let count = 0
    for (; performance.now() < until; count++) {
      const policy = { ...facts.policy, number: `${round}${count}A` }
      await press.print(certificate({ ...facts, policy }, words(policy.locale), 'https://agency.example/verify'))
    }
    const { user, system } = process.cpuUsage(busy)
    rates.push((count * 1e6) / (user + system))
  }
  await press.stop()
  // The first makes ready.
  return rates.slice(1)
}
