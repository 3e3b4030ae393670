import { today } from '#common/kit/dates.ts'
import { readPolicyNumber } from '#common/policies/number.ts'
import type { Validity, verifyPolicy } from '#common/policies/verify-calls.ts'
import { isCheckCode } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { type Numbered, policiesNumbered } from '../list/queries.ts'

/**
 * For anybody who has a certificate in hand. A wrong code and a number that nobody has get the same answer, so that no numbers can be tried
 * out; the number alone says nothing, for each unit counts its own.
 */
export const verify =
  ({ database, clock }: World): Handler<typeof verifyPolicy> =>
  async ({ ask }) => {
    const number = readPolicyNumber(ask.number) ?? ''
    const found = number ? await database.asService(tx => policiesNumbered(tx, number)) : []
    const policy = found.find(({ id }) => isCheckCode({ id, number }, ask.code))
    return policy ? { number, validity: validityOf(policy, today(clock.now(), policy.time_zone)) } : { number: '', validity: 'unknown' }
  }

function validityOf({ status, start_date, end_date }: Numbered, now: string): Validity {
  if (status === 'cancelled') return 'cancelled'
  if (now < start_date) return 'upcoming'
  return now > end_date ? 'ended' : 'valid'
}
