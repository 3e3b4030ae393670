import { today } from '#common/kit/dates.ts'
import { readPolicyNumber } from '#common/policies/number.ts'
import type { Validity, verifyPolicy } from '#common/policies/verify-calls.ts'
import { certificateBefore, editionOf, isCheckCode } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type ServiceTx, within } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { scopeOf } from '#server/session/public.ts'
import { type Numbered, policiesNumbered, versionOf } from '../queries.ts'

/**
 * Verifies a document for anyone who holds it. A wrong code gets the same response as an unknown number, so numbers cannot be guessed.
 * Two agencies may have sold one number before numbers were the insurer's, so the code decides. It also identifies the document's version.
 */
export const verify =
  ({ database, clock }: World): Handler<typeof verifyPolicy> =>
  async ({ ask }) => {
    const number = readPolicyNumber(ask.number) ?? ''
    if (!number) return unknown
    return database.asService(async tx => {
      for (const policy of await policiesNumbered(tx, number)) {
        const version = versionsOf(policy).find(each => isCheckCode({ id: policy.id, number, edition: editionOf(each) }, ask.code))?.version
        if (version === undefined) continue
        const holds = policy.status === 'purchased' ? await replacing(tx, policy, version) : null
        const validity = holds ? ('replaced' as const) : validityOf(policy, today(clock.now(), policy.time_zone))
        return { number, agency: policy.agency, validity, holds }
      }
      return unknown
    })
  }

const unknown = { number: '', agency: '', validity: 'unknown' as const, holds: null }

/** Returns the versions since the sale, newest first, as the newest documents are checked most. */
function versionsOf({ version, sold_version }: Numbered): { version: number; sold_version: number }[] {
  const sold = sold_version ?? version
  return Array.from({ length: version - sold + 1 }, (_, step) => ({ version: version - step, sold_version: sold }))
}

/** Returns the newest version with a certificate, if it is newer than that of a document. */
async function replacing(tx: ServiceTx, policy: Numbered, version: number): Promise<{ version: number; since: string } | null> {
  const ofUnit = within(tx, scopeOf(policy.business_unit_id))
  const newest = await certificateBefore(ofUnit, policy.id, policy.version + 1)
  if (newest === undefined || newest <= version) return null
  const { at } = await versionOf(ofUnit, { id: policy.id, version: newest })
  return { version: editionOf({ ...policy, version: newest }), since: today(at, policy.time_zone) }
}

function validityOf({ status, start_date, end_date }: Numbered, now: string): Validity {
  if (status === 'cancelled') return 'cancelled'
  if (now < start_date) return 'upcoming'
  return now > end_date ? 'ended' : 'valid'
}
