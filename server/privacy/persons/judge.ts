import { sql } from 'kysely'
import { addYears, today } from '#common/kit/dates.ts'
import type { Outcome } from '#common/privacy/outcome.ts'
import { policyErased, ticketBlockedYears } from '#common/privacy/classes.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'
import { openOf, type UnitDay } from '../retention/due.ts'
import { blockedOf } from './find.ts'
import type { Person } from './key.ts'
import { mailsTo, placesOf, type PlaceRow, sightingsOfPerson } from './queries.ts'

type Item = Outcome['items'][number]
type Judgement = Pick<Item, 'outcome' | 'erasedOn' | 'because' | 'note'>

/** The outcome for each object about a person, and the emails that belong to none of these. */
export type Judged = { items: Item[]; mailIds: string[] }

/** Judges everything that an agency has about a person, as of a day. The preview shows the result, and the erasure carries it out. */
async function judge(world: World, tx: PrivacyUnitTx, person: Person, day: UnitDay): Promise<Judged> {
  const sightings = await sightingsOfPerson(world.secrets, tx, person)
  const ids = [...new Set(sightings.map(({ policy_id: id }) => id))]
  const known = { ...person, emails: [...new Set([...person.emails, ...sightings.flatMap(({ email }) => (email ? [email] : []))])] }
  const places = await placesOf(tx, ids, known)
  const objects = places.map(({ id }) => id)
  const holds = await holdsOn(tx, objects, day)
  const busy = await openOf(tx, objects)
  const items = places.map(place => ({ ...itemOf(place), ...judged(place, { day, hold: holds.get(place.id), busy: busy.get(place.id) }) }))
  const blocked = (await blockedOf(world, tx, known)).map(
    (row): Item => ({
      ...itemOf(row),
      outcome: 'blocked',
      erasedOn: row.erased_on,
      because: 'blocked_already',
      note: null,
    }),
  )
  const mails = await mailsTo(tx, known, objects)
  return { items: [...items, ...blocked], mailIds: mails.map(({ id }) => id) }
}

/** Judges as of today, in the agency's zone. */
export const judgeToday = async (world: World, tx: PrivacyUnitTx, person: Person): Promise<Judged> =>
  judge(world, tx, person, await dayOf(world, tx))

export async function dayOf(world: World, tx: PrivacyUnitTx): Promise<UnitDay> {
  const { country, timeZone } = await unitSettings(tx)
  return { country, timeZone, today: today(world.businessClock.now(), timeZone) }
}

type Hold = { until: string; reason: string }
type Circumstances = { day: UnitDay; hold: Hold | undefined; busy: 'open_claim' | 'open_money' | undefined }

function judged(place: PlaceRow, { day, hold, busy }: Circumstances): Judgement {
  const verdict = (outcome: Item['outcome'], because: Item['because'], erasedOn: string | null = null, note: string | null = null) => ({
    outcome,
    because,
    erasedOn,
    note,
  })
  if (hold) return verdict('refused', 'held', null, hold.reason)
  if (place.kind === 'ticket') {
    if (place.status !== 'closed') return verdict('refused', 'open_claim')
    return verdict('blocked', 'law', addYears(place.touched.toISOString().slice(0, 10), ticketBlockedYears))
  }
  if (place.kind === 'budget') return busy === 'open_money' ? verdict('refused', busy) : verdict('erased', 'no_contract')
  const erasedOn = policyErased(place.until ?? day.today, day.country)
  if ((place.until ?? '') >= day.today && place.status === 'purchased') return verdict('kept', 'in_force', erasedOn)
  return busy ? verdict('refused', busy) : verdict('blocked', 'law', erasedOn)
}

const itemOf = ({ kind, id, number, until, status }: PlaceRow) => ({ kind, uuid: id, number, until, blocked: status === 'blocked' })

async function holdsOn(tx: PrivacyUnitTx, ids: string[], { today: now }: UnitDay): Promise<Map<string, Hold>> {
  const { rows } = await sql<Hold & { id: string }>`
    select object_id as id, until::text, reason from holds
    where business_unit_id = ${tx.businessUnitId} and object_id = any(${ids}::uuid[]) and lifted_at is null and until >= ${now}::date
    order by until`.execute(tx)
  return new Map(rows.map(({ id, ...hold }) => [id, hold]))
}
