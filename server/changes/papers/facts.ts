import { coverEnd } from '#common/changes/ending/cancel.ts'
import { refundDue } from '#common/changes/money.ts'
import { today } from '#common/kit/dates.ts'
import { type ReadFacts, certificateBefore, editionOf, type VersionFacts } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { readVersionFacts } from '#server/policies/public.ts'
import { type DeedRow, deedsOf, deedTo, firstVersions, movedIn } from '../queries.ts'

/** Reads the facts of a version's documents, with the step that led to it. */
export const readFacts =
  ({ secrets }: Pick<World, 'secrets'>): ReadFacts =>
  async (tx, policyId, wanted) => {
    const read = (version?: number | null) => readVersionFacts(secrets, tx, policyId, version)
    const facts = await read(wanted)
    if (!facts) return undefined
    const { version, sold_version: sold } = facts.policy
    const deed = sold !== null && version > sold ? await deedTo(tx, policyId, version) : undefined
    const before = deed && (await read(deed.from_version))
    return deed && before ? { ...facts, deed: await deedFacts(tx, { facts, before, deed, read }) } : facts
  }

type Read = (version: number | null) => Promise<VersionFacts | undefined>
type Step = { facts: VersionFacts; before: VersionFacts; deed: DeedRow; read: Read }

async function deedFacts(tx: UnitTx, { facts, before, deed, read }: Step) {
  const { startDate, endDate } = before.trip
  const name = deed.asked['name']
  const deeds = await deedsOf(tx, facts.policy.id)
  const sale = await read(null)
  return {
    kind: deed.kind,
    before,
    replaces: await replacedBy(tx, before, read),
    charge: deed.charge_cents,
    refund: movedIn(deed).refund,
    refundDue: refundDue(deed.at, facts.seller.timeZone),
    stopped: deed.stopped_cents,
    kept: deed.kept_cents,
    waived: deed.waived_cents,
    gateways: [...new Set(deed.routes.map(({ gateway }) => gateway))],
    waitUntil: deed.wait_until,
    waits: waitsAt(deeds, deed),
    joined: joinedOnTrip(await firstVersions(tx, facts.policy.id), deeds, facts, sale),
    reservedForSale: sale?.trip.reservationDate ?? null,
    coverEnds: coverEnd({ trip: { startDate, endDate } }, today(deed.at, facts.seller.timeZone)),
    by: typeof name === 'string' ? name : (before.people.find(({ holder }) => holder)?.name ?? ''),
  }
}

/** Returns the certificate that was valid until a version, by the number and the date that it shows. */
async function replacedBy(tx: UnitTx, { policy }: VersionFacts, read: Read) {
  const version = (await certificateBefore(tx, policy.id, policy.version + 1)) ?? policy.sold_version
  const facts = version === null ? undefined : await read(version)
  return facts && { edition: editionOf(facts.policy), at: facts.policy.at }
}

/** Returns the waiting periods of steps up to a deed that were not over at its time. An undo removes that of the undone change. */
function waitsAt(deeds: readonly DeedRow[], deed: DeedRow): Date[] {
  const waits: (Date | null)[] = []
  for (const { kind, to_version: to, wait_until: until } of deeds) {
    if (to > deed.to_version) continue
    if (kind === 'undo') waits.pop()
    else waits.push(until)
  }
  return waits.filter(until => until !== null).filter(until => until > deed.at)
}

type First = Awaited<ReturnType<typeof firstVersions>>[number]

/** Returns when each person joined who is covered from a later day than the trip's first. */
function joinedOnTrip(
  firsts: readonly First[],
  deeds: readonly DeedRow[],
  { trip, seller }: VersionFacts,
  sale?: VersionFacts,
): Map<string, Date> {
  const at = new Map(deeds.map(deed => [deed.to_version, deed.at]))
  return new Map(
    firsts.flatMap(({ person_id: id, version }): [string, Date][] => {
      const joined = at.get(version)
      const isOfSale = sale?.people.some(person => person.id === id)
      return id && joined && !isOfSale && today(joined, seller.timeZone) > trip.startDate ? [[id, joined]] : []
    }),
  )
}
