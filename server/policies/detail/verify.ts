import { today } from '#common/kit/dates.ts'
import { readPolicyNumber } from '#common/policies/number.ts'
import type { Validity, verifyPolicy } from '#common/policies/verify-calls.ts'
import { isCheckCode } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { type Numbered, policiesNumbered } from '../queries.ts'

/**
 * Verifies a certificate for anyone who holds it. A wrong code gets the same response as an unknown number, so numbers cannot be guessed.
 * Two agencies may have sold one number before numbers were the insurer's, so the code decides.
 */
export const verify =
  ({ database, clock }: World): Handler<typeof verifyPolicy> =>
  async ({ ask }) => {
    const number = readPolicyNumber(ask.number) ?? ''
    const found = number ? await database.asService(tx => policiesNumbered(tx, number)) : []
    const policy = found.find(({ id }) => isCheckCode({ id, number }, ask.code))
    if (!policy) return { number: '', agency: '', validity: 'unknown' }
    return { number, agency: policy.agency, validity: validityOf(policy, today(clock.now(), policy.time_zone)) }
  }

function validityOf({ status, start_date, end_date }: Numbered, now: string): Validity {
  if (status === 'cancelled') return 'cancelled'
  if (now < start_date) return 'upcoming'
  return now > end_date ? 'ended' : 'valid'
}
