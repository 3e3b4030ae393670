import { coverEnd } from '#common/changes/ending/cancel.ts'
import { refundDue } from '#common/changes/money.ts'
import { today } from '#common/kit/dates.ts'
import { type ReadFacts, certificateBefore, editionOf, type VersionFacts } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { readVersionFacts } from '#server/policies/public.ts'
import { type MovementRow, movementsOf, movementTo, firstVersions, movedIn } from '../queries.ts'

/** Reads the facts of a version's documents, with the step that led to it. */
export const readFacts =
  ({ secrets }: Pick<World, 'secrets'>): ReadFacts =>
  async (tx, policyId, wanted) => {
    const read = (version?: number | null) => readVersionFacts(secrets, tx, policyId, version)
    const facts = await read(wanted)
    if (!facts) return undefined
    const { version, sold_version: sold } = facts.policy
    const movement = sold !== null && version > sold ? await movementTo(tx, policyId, version) : undefined
    const before = movement && (await read(movement.from_version))
    return movement && before ? { ...facts, movement: await movementFacts(tx, { facts, before, movement, read }) } : facts
  }

type Read = (version: number | null) => Promise<VersionFacts | undefined>
type Step = { facts: VersionFacts; before: VersionFacts; movement: MovementRow; read: Read }

async function movementFacts(tx: UnitTx, { facts, before, movement, read }: Step) {
  const { startDate, endDate } = before.trip
  const name = movement.asked['name']
  const movements = await movementsOf(tx, facts.policy.id)
  const sale = await read(null)
  return {
    kind: movement.kind,
    before,
    replaces: await replacedBy(tx, before, read),
    charge: movement.charge_cents,
    refund: movedIn(movement).refund,
    refundDue: refundDue(movement.at, facts.seller.timeZone),
    stopped: movement.stopped_cents,
    kept: movement.kept_cents,
    waived: movement.waived_cents,
    gateways: [...new Set(movement.routes.map(({ gateway }) => gateway))],
    waitUntil: movement.wait_until,
    waits: waitsAt(movements, movement),
    joined: joinedOnTrip(await firstVersions(tx, facts.policy.id), movements, facts, sale),
    reservedForSale: sale?.trip.reservationDate ?? null,
    coverEnds: coverEnd({ trip: { startDate, endDate } }, today(movement.at, facts.seller.timeZone)),
    by: typeof name === 'string' ? name : (before.people.find(({ holder }) => holder)?.name ?? ''),
  }
}

/** Returns the certificate that was valid until a version, by the number and the date that it shows. */
async function replacedBy(tx: UnitTx, { policy }: VersionFacts, read: Read) {
  const version = (await certificateBefore(tx, policy.id, policy.version + 1)) ?? policy.sold_version
  const facts = version === null ? undefined : await read(version)
  return facts && { edition: editionOf(facts.policy), at: facts.policy.at }
}

/** Returns the waiting periods of steps up to a movement that were not over at its time. An undo removes that of the undone change. */
function waitsAt(movements: readonly MovementRow[], movement: MovementRow): Date[] {
  const waits: (Date | null)[] = []
  for (const { kind, to_version: to, wait_until: until } of movements) {
    if (to > movement.to_version) continue
    if (kind === 'undo') waits.pop()
    else waits.push(until)
  }
  return waits.filter(until => until !== null).filter(until => until > movement.at)
}

type First = Awaited<ReturnType<typeof firstVersions>>[number]

/** Returns when each person joined who is covered from a later day than the trip's first. */
function joinedOnTrip(
  firsts: readonly First[],
  movements: readonly MovementRow[],
  { trip, seller }: VersionFacts,
  sale?: VersionFacts,
): Map<string, Date> {
  const at = new Map(movements.map(movement => [movement.to_version, movement.at]))
  return new Map(
    firsts.flatMap(({ person_id: id, version }): [string, Date][] => {
      const joined = at.get(version)
      const isOfSale = sale?.people.some(person => person.id === id)
      return id && joined && !isOfSale && today(joined, seller.timeZone) > trip.startDate ? [[id, joined]] : []
    }),
  )
}
