import type { CallerInUnit } from '#server/kit/caller.ts'
import { scopeOf } from '#server/session/public.ts'
import type { PolicyRow } from '../queries.ts'

/** Stands for the seller of a policy, where the client or the service acts in the seller's name. */
export const standInFor = ({ business_unit_id, seller_id, seller_name, locale }: PolicyRow): CallerInUnit => ({
  userId: seller_id,
  name: seller_name,
  email: '',
  sessionId: '',
  accessToken: '',
  unit: { scope: scopeOf(business_unit_id), locale, roles: [], permissions: [] },
})
