import { addDays } from '#common/kit/dates.ts'
import { locales } from '#common/kit/locales.ts'
import { openMailServer } from '#fault-tests/harness/mailbox.ts'
import { sell } from '#fault-tests/harness/agent.ts'
import type { PaperFacts } from '#server/documents/pdf/facts.ts'
import { certificate } from '#server/documents/pdf/certificate.ts'
import { openPress } from '#server/documents/pdf/renderer.ts'
import { openDatabase } from '#server/kit/database.ts'
import { loadWords } from '#server/kit/words.ts'
import { readFacts } from '#server/policies/document-facts.ts'
import { scopeOf } from '#server/session/scope.ts'
import { alone, type Figure, median } from './compare.ts'
import { openGround } from './setup.ts'

const manyAgencies = 100

const certificates = (whose: string, rates: number[]): Figure =>
  alone({ work: `certificates/s ${whose}, a core’s time`, unit: '/s', reach: '≥ 50' }, median(rates), rate => rate >= 50)

type Effort = { rounds: number; seconds: number }
type Sold = { folder: string; unitId: string; policyUuid: string }

/** design 8: certificates on one core, and how long after a purchase was asked for its mail, with the papers, is with a mail server. */
export async function benchPapers(effort: Effort): Promise<Figure[]> {
  let arrived = () => {}
  const post = await openMailServer(() => arrived())
  const ground = await openGround(undefined, { SMTP_URL: post.url })
  const waits: number[] = []
  let policyUuid = ''
  for (let sale = 0; sale < effort.rounds * 4; sale++) {
    const mail = new Promise<void>(resolve => (arrived = resolve))
    const began = performance.now()
    policyUuid = (await sell(ground.agent)).policyUuid
    await mail
    waits.push(performance.now() - began)
  }
  // One database has one owner at a time.
  await ground.service.stop()
  const sold = { folder: ground.folder, unitId: ground.agent.unitId, policyUuid }
  const [ofOne, ofMany] = [await printed(sold, 1, effort), await printed(sold, manyAgencies, effort)]
  await ground.stop()
  await post.stop()
  const mail = { work: 'from asking for a sale to its mail’s arrival', unit: ' ms', reach: '≤ 2000 ms' }
  return [
    certificates('of one agency', ofOne),
    certificates(`of ${manyAgencies} agencies in turn, in five languages`, ofMany),
    alone(mail, median(waits), ms => ms <= 2000),
    alone({ ...mail, work: `${mail.work}, the slowest of ${waits.length}` }, Math.max(...waits), ms => ms <= 2000),
  ]
}

/** By the processor's time and not by the clock: what else the machine does takes the thread's turn, not its speed. */
async function printed({ folder, unitId, policyUuid }: Sold, agencies: number, { rounds, seconds }: Effort): Promise<number[]> {
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_POOL: 2 })
  const scope = scopeOf(unitId)
  const facts = await database.inScope(scope, tx => readFacts(tx, policyUuid))
  await database.close()
  if (!facts) throw new Error('the policy is not there')
  const words = loadWords()
  const press = openPress()
  const rates: number[] = []
  let count = 0
  for (let round = 0; round < rounds + 1; round++) {
    const [busy, first] = [process.cpuUsage(), count]
    for (const until = performance.now() + seconds * 1000; performance.now() < until; count++) {
      const other = anotherSale(facts, count, agencies)
      await press.print(certificate(other, words(other.policy.locale), 'https://agency.example/verify'))
    }
    const { user, system } = process.cpuUsage(busy)
    rates.push(((count - first) * 1e6) / (user + system))
  }
  await press.stop()
  // The first makes ready.
  return rates.slice(1)
}

/** Other people on another trip; of as many agencies, the next one's turn, each in its language. */
function anotherSale({ policy, people, trip, seller, ...facts }: PaperFacts, place: number, agencies: number): PaperFacts {
  const agency = place % agencies
  const startDate = addDays(trip.startDate, place % 300)
  const locale = locales[agency % locales.length] ?? policy.locale
  return {
    ...facts,
    policy: { ...policy, number: `1${place}00-A`, reference: `EXP ${place}`, locale: agencies === 1 ? policy.locale : locale },
    seller: { ...seller, brandName: agency === 0 ? seller.brandName : `${seller.brandName} ${agency}` },
    people: people.map(person => ({ ...person, name: `${person.name} ${place}`, documentNumber: `${place}X` })),
    trip: { ...trip, startDate, endDate: addDays(startDate, 7) },
  }
}
