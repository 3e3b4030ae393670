import { isDeepStrictEqual } from 'node:util'
import type { ProfileChange } from '#common/agency/schemas.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'

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
