import { totalIn } from '#common/quotes/price-lines.ts'
import { changesNeeds } from '#common/changes/differences.ts'
import { daysBetween } from '#common/kit/dates.ts'
import { languageOf } from '#common/kit/locales.ts'
import type { PolicyDocuments, PreviewFacts, ReadFile } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { documentPerson, personOf, readVersionFacts } from '#server/policies/public.ts'
import { offerIn } from '../reply.ts'
import { openChangeById, type OpenChangeRow } from '../queries.ts'
import { manyTripsIn } from '#common/quotes/rating/many-trips.ts'
import { stepIn } from '../payment/open.ts'
import { needsText, type Step } from '../write.ts'

/**
 * Reads the files of emails, and makes the previews of offers: under an offer's id there is no file. A preview is made when its email leaves, of what the
 * offer holds, and is stored nowhere.
 */
export const withPreviews =
  (world: World, documents: PolicyDocuments, readFile: ReadFile): ReadFile =>
  async (scope, id, known) => {
    const found = known ? undefined : await world.database.inScope(scope, tx => readPreview(world, tx, id))
    return found ? documents.preview(scope, found) : readFile(scope, id, known)
  }

async function readPreview({ secrets, words }: World, tx: UnitTx, id: string): Promise<PreviewFacts | undefined> {
  const open = await openChangeById(tx, id)
  const step = open && stepIn(secrets, open)
  const before = step && open.offered_to ? await readVersionFacts(secrets, tx, open.policy_id, open.from_version) : undefined
  return step && before ? { facts: factsOf(open, step, before, words), until: open.until } : undefined
}

type VersionFacts = PreviewFacts['facts']

/** Returns the facts of the version that will be made, as its own documents would have them. */
function factsOf(open: OpenChangeRow, { contents, charge, waitUntil }: Step, facts: VersionFacts, words: World['words']): VersionFacts {
  const { trip, charged } = contents
  const locale = offerIn(open)?.locale ?? contents.locale
  const before = { ...facts, policy: { ...facts.policy, locale } }
  const isCompany = facts.people.some(person => person.holder && person.isCompany)
  const travels = facts.people.some(person => person.holder && person.traveller)
  const people = contents.people.map((person, position) => {
    const holder = position === 0
    const columns = personOf(person, holder && isCompany)
    return documentPerson(open.policy_id, { ...columns, person_id: person.personUuid, position, holder, traveller: !holder || travels })
  })
  const travellers = people.filter(({ traveller }) => traveller).length
  const { described } = facts.product
  const many = manyTripsIn(described, trip)
  const product = described.product.name[languageOf(locale)]
  const stated = { trip, many, travellers, product, currency: facts.policy.currency, locale }
  return {
    ...before,
    needs: changesNeeds(neededIn(facts), contents) ? needsText(stated, words(locale)) : null,
    policy: { ...before.policy, version: open.from_version + 1, totalCents: totalIn(charged), at: open.at },
    trip: { ...trip, travellers },
    days: daysBetween(trip.startDate, trip.endDate) + 1,
    price: charged,
    people,
    movement: {
      kind: 'change',
      before,
      replaces: undefined,
      charge,
      refund: 0,
      refundDue: { days: 0, by: '' },
      stopped: 0,
      kept: 0,
      waived: 0,
      gateways: [],
      waitUntil: waitUntil === null ? null : new Date(waitUntil),
      waits: [],
      joined: new Map(),
      reservedForSale: null,
      coverEnds: null,
      by: '',
    },
  }
}

const neededIn = ({ trip, people }: VersionFacts) => ({
  trip,
  people: people.map(({ id }) => ({ personUuid: id })),
})
