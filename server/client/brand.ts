import type { ClientPolicy } from '#common/client/calls.ts'
import { textOn } from '#common/kit/contrast.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'

type Agency = Pick<UnitSettings, 'brandName' | 'legalName' | 'accent' | 'contactInfo'>

export const brandOf = ({ brandName: name, legalName, accent, contactInfo: { phone, email } }: Agency): ClientPolicy['brand'] => ({
  name,
  legalName,
  accent,
  onAccent: textOn(accent),
  phone,
  email,
})
