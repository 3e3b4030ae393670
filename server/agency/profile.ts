import { isDeepStrictEqual } from 'node:util'
import type * as calls from '#common/agency/calls.ts'
import type { ProfileChange } from '#common/agency/schemas.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import { within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { findProfile, listChanges, type StoredProfile } from './queries.ts'

export const agency =
  (world: World): Handler<typeof calls.agency> =>
  async ({ caller: { unit } }) =>
    describeProfile(await world.database.inScope(unit.scope, tx => findProfile(tx)))

export function describeProfile({ settings, ...stored }: StoredProfile): ResponseSentOf<typeof calls.agency> {
  const { address, contactInfo, billingInfo, logo, brandName, legalName, taxId, managementGroup, supportEmail } = settings
  const { locale, country, timeZone, currency, twoFactorRequired = false } = settings
  const own = { address, contactInfo, billingInfo, logo }
  const managed = { brandName, legalName, taxId, managementGroup, supportEmail, locale, country, timeZone, currency, twoFactorRequired }
  return {
    ...own,
    ...managed,
    version: versionOf(stored),
  }
}

/** Returns the profile's version for conflict checks. The agency's changes raise its number, all others move its time. */
export const versionOf = ({ version, updatedAt }: Pick<StoredProfile, 'version' | 'updatedAt'>): string =>
  `${version}-${updatedAt.getTime().toString(36)}`

export const agencyChanges =
  (world: World): Handler<typeof calls.agencyChanges> =>
  async ({ caller: { unit } }) => {
    const rows = await world.database.asService(tx => listChanges(within(tx, unit.scope)))
    return { changes: rows.map(({ at, who, changes }) => ({ at: at.toISOString(), who: who ?? '', fields: changes })) }
  }

/** Returns the changed fields of an agency's profile. They are stored with the version that the change made. */
export function changesBetween(before: UnitSettings, after: UnitSettings): ProfileChange[] {
  const parts = ['address', 'contactInfo', 'billingInfo'] as const
  const fields = parts.flatMap(part =>
    Object.entries(after[part]).map(([name, value]) => {
      const former: Record<string, string | number | undefined> = before[part]
      const was = former[name]
      return { field: `${part}.${name}`, before: was === undefined ? null : String(was), after: String(value) }
    }),
  )
  const changed = fields.filter(each => !isDeepStrictEqual(each.before, each.after))
  return before.logo === after.logo ? changed : [...changed, { field: 'logo', before: null, after: null }]
}
