import { addDays } from '#common/kit/dates.ts'
import { locales } from '#common/kit/locales.ts'
import { openMailServer } from '#fault-tests/harness/mailbox.ts'
import { sell } from '#fault-tests/harness/agent.ts'
import type { DocumentFacts } from '#server/documents/pdf/facts.ts'
import { certificate } from '#server/documents/pdf/certificate.ts'
import { sourceOf } from '#server/documents/pdf/document.ts'
import { startTypesetter } from '#server/documents/typesetting/typesetter.ts'
import { openDatabase } from '#server/kit/database.ts'
import { openSecrets } from '#server/kit/store/secrets.ts'
import { loadWords } from '#server/kit/words.ts'
import { readFacts } from '#server/changes/papers/facts.ts'
import { scopeOf } from '#server/session/scope.ts'
import { withoutBaseline, type Figure, median } from './compare.ts'
import { openSetup, SECRETS_KEY } from './setup.ts'

const manyAgencies = 100

const certificates = (whose: string, rates: number[]): Figure =>
  withoutBaseline({ work: `certificates ${whose}, per second of CPU time`, unit: '/s', target: '≥ 50' }, median(rates), rate => rate >= 50)

type Effort = { rounds: number; seconds: number }
type Sold = { folder: string; unitId: string; policyUuid: string }

/** design 8: certificates per second on one core, and the time from a purchase to its email with documents at the mail server. */
export async function benchDocuments(effort: Effort): Promise<Figure[]> {
  let onEmail = () => {}
  const mailServer = await openMailServer(() => onEmail())
  const setup = await openSetup(undefined, { SMTP_URL: mailServer.url })
  const waits: number[] = []
  let policyUuid = ''
  for (let sale = 0; sale < effort.rounds * 4; sale++) {
    const mail = new Promise<void>(resolve => (onEmail = resolve))
    const began = performance.now()
    policyUuid = (await sell(setup.agent)).policyUuid
    await mail
    waits.push(performance.now() - began)
  }
  // An embedded database can be opened by one process at a time.
  await setup.service.stop()
  const sold = { folder: setup.folder, unitId: setup.agent.unitId, policyUuid }
  const [oneAgency, manyAgencyRates] = [await certificateRates(sold, 1, effort), await certificateRates(sold, manyAgencies, effort)]
  await setup.stop()
  await mailServer.stop()
  const mail = { work: 'from a sale to the arrival of its email', unit: ' ms', target: '≤ 2000 ms' }
  return [
    certificates('of one agency', oneAgency),
    certificates(`of ${manyAgencies} agencies in turn, in five languages`, manyAgencyRates),
    withoutBaseline(mail, median(waits), ms => ms <= 2000),
    withoutBaseline({ ...mail, work: `${mail.work}, the slowest of ${waits.length}` }, Math.max(...waits), ms => ms <= 2000),
  ]
}

/** Returns certificates per second of CPU time, of this process and of the one that typesets, which other load on the machine does not affect. */
async function certificateRates({ folder, unitId, policyUuid }: Sold, agencies: number, { rounds, seconds }: Effort): Promise<number[]> {
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_POOL: 2 })
  const scope = scopeOf(unitId)
  const read = readFacts({ secrets: openSecrets({ SECRETS_KEY: [SECRETS_KEY], DATA_DIR: folder }) })
  const facts = await database.inScope(scope, tx => read(tx, policyUuid))
  await database.close()
  if (!facts) throw new Error('the policy is missing')
  const words = loadWords()
  const typesetter = startTypesetter(2000)
  const rates: number[] = []
  let count = 0
  for (let round = 0; round < rounds + 1; round++) {
    const [cpuBefore, first] = [process.cpuUsage(), count]
    let typesetMs = 0
    for (const until = performance.now() + seconds * 1000; performance.now() < until; count++) {
      const other = withOtherSale(facts, count, agencies)
      const source = sourceOf(certificate(other, words(other.policy.locale), 'https://agency.example/verify'))
      const made = await typesetter.typeset(source, { cpuMs: 10_000, ms: 60_000 })
      if (!('content' in made)) throw new Error(JSON.stringify(made))
      typesetMs += made.cpuMs
    }
    const { user, system } = process.cpuUsage(cpuBefore)
    rates.push(((count - first) * 1e6) / (user + system + typesetMs * 1000))
  }
  typesetter.end()
  // The first round is a warm-up.
  return rates.slice(1)
}

/** Returns other people on another trip, sold by the next of `agencies`, each with its language. */
function withOtherSale({ policy, people, trip, seller, ...facts }: DocumentFacts, index: number, agencies: number): DocumentFacts {
  const agency = index % agencies
  const startDate = addDays(trip.startDate, index % 300)
  const locale = locales[agency % locales.length] ?? policy.locale
  return {
    ...facts,
    policy: { ...policy, number: `1${index}00-A`, reference: `EXP ${index}`, locale: agencies === 1 ? policy.locale : locale },
    seller: { ...seller, brandName: agency === 0 ? seller.brandName : `${seller.brandName} ${agency}` },
    people: people.map(person => ({ ...person, name: `${person.name} ${index}`, documentNumber: `${index}X` })),
    trip: { ...trip, startDate, endDate: addDays(startDate, 7) },
  }
}
