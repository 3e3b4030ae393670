import { addMonths, today } from '#common/kit/dates.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/privacy/calls.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'
import type { World } from '#server/kit/app-context.ts'
import { within } from '#server/kit/database.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { Job } from '#server/kit/work/outbox.ts'
import { scopeOf } from '#server/session/public.ts'
import { comparable, hashesOf } from '../facts.ts'
import { judgeToday } from '../persons/judge.ts'
import { keepRequest } from '../persons/keep.ts'
import { type Person, personIn } from '../persons/key.ts'
import { isInBlocked, localeOf, sightingsOfPerson } from '../persons/queries.ts'

/** Event: a person asked for a copy of their data. */
export const copyAsked = 'privacy.copy_asked'

/** The facts that the job needs. They are encrypted, so no job has them in clear. */
export type Wanted = { person: Person; name: string; email: string; reason: string; userId: string }

/** Records the request, and has the copy made. It goes only to an address that the agency knows as the person's. */
export const exportPerson =
  (world: World): Handler<typeof calls.exportPerson> =>
  input => {
    const { personKey, reason, email: typed } = input.ask
    const person = personIn(world.secrets, personKey)
    return world.database.asPrivacy(async tx => {
      const unit = within(tx, scopeOf(person.unitId))
      const sightings = await sightingsOfPerson(world.secrets, unit, person)
      const email = comparable({ document: null, birthDate: null, name: null, email: typed }).email ?? ''
      const isKnown =
        isOneAddress(email) &&
        (sightings.some(each => each.email === email) ||
          (await isInBlocked(unit, hashesOf(world.secrets, person.unitId, { ...person, email }))))
      if (!isKnown) throw refuseFields([{ path: 'email', rule: 'known', key: 'privacy.email_unknown' }])
      const { items, mailIds } = await judgeToday(world, unit, person)
      const locale = await localeOf(unit, items)
      const outcome = {
        items: items.map(item => ({ ...item, outcome: 'copied' as const, because: 'asked' as const, note: null })),
        mails: mailIds.length,
      }
      const requestUuid = await keepRequest(world, unit, input, { kind: 'export', reason, locale, outcome, isDone: false })
      const askedAt = world.clock.now()
      // Inserted before the job, so that an erasure can recall an unmade copy, and the retention deletes one whose job never ends.
      await unit
        .insertInto('person_copies')
        .values({
          id: copyIdOf(requestUuid),
          request_id: requestUuid,
          made_at: askedAt,
          expires_at: new Date(addMonths(today(askedAt, 'UTC'), longestWait)),
          ...hashesOf(world.secrets, person.unitId, { ...person, email }),
        })
        .execute()
      const name = sightings[0]?.shown ?? ''
      await world.outbox.publish(unit, copyAsked, {
        requestUuid,
        ...sealed(world.secrets, requestUuid, { person, name, email, reason, userId: input.caller.userId }),
      })
      return { requestUuid }
    })
  }

/** The id of a copy, and of its file. */
export const copyIdOf = (requestUuid: string): string => stableId('copy', requestUuid)

/** For how many months a copy can be made: the answer is due within one, and two more after an extension. */
const longestWait = 3

const ownerOf = (requestUuid: string): string => `copy for ${requestUuid}`

function sealed(secrets: Secrets, requestUuid: string, wanted: Wanted): { sealed: string; sealedBy: string } {
  const { secret } = secrets.seal(ownerOf(requestUuid), Buffer.from(JSON.stringify(wanted)))
  return { sealed: secret.toString('base64'), sealedBy: secrets.sealedBy }
}

export function wantedIn(secrets: Secrets, { payload }: Job): Wanted & { requestUuid: string } {
  const requestUuid = String(payload['requestUuid'])
  const secret = Buffer.from(String(payload['sealed']), 'base64')
  // Safe: `sealed` wrote it.
  const wanted = JSON.parse(secrets.open(ownerOf(requestUuid), { secret, sealedBy: String(payload['sealedBy']) }).toString()) as Wanted
  return { ...wanted, requestUuid }
}
