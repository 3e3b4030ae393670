import { useQueryClient } from '@tanstack/react-query'
import { type agency, updateAgency } from '#common/agency/calls.ts'
import { printedIban } from '#common/agency/profile.ts'
import { countryName } from '#common/geography/countries.ts'
import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import type { Locale } from '#common/kit/locales.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'

export type Profile = ResponseOf<typeof agency>

/** The fields that an agency may change, in the order of the screen, with their labels. */
export const fields = [
  { path: 'address.street', label: 'agency.field.street' },
  { path: 'address.zipCode', label: 'agency.field.zip_code' },
  { path: 'address.city', label: 'agency.field.city' },
  { path: 'address.state', label: 'agency.field.state' },
  { path: 'address.country', label: 'agency.field.country' },
  { path: 'contactInfo.email', label: 'agency.field.email' },
  { path: 'contactInfo.phone', label: 'agency.field.phone' },
  { path: 'billingInfo.iban', label: 'agency.field.iban' },
  { path: 'billingInfo.email', label: 'agency.field.billing_email' },
  { path: 'logo', label: 'agency.field.logo' },
] as const

export const labelOf = (path: string) => fields.find(field => field.path === path)?.label

/** Returns the value at a path of a profile as text, or '' if there is none. */
export function valueAt(profile: Pick<Profile, 'address' | 'contactInfo' | 'billingInfo' | 'logo'>, path: string): string {
  const [part = '', name = ''] = path.split('.')
  const groups: Record<string, unknown> = profile
  const group = groups[part]
  const value = name && isRecord(group) ? group[name] : group
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns a value as the screen shows it: a country by its name, an IBAN in groups of four. */
export function displayValue(path: string, value: string, locale: Locale): string {
  if (path === 'address.country') return countryName(Number(value), locale) ?? value
  return path === 'billingInfo.iban' ? printedIban(value) : value
}

/** Saves the profile and updates every screen that shows it. If another user saved first, returns their version instead of failing. */
export function useSaveProfile() {
  const client = useQueryClient()
  return async (request: RequestSentOf<typeof updateAgency>): Promise<{ saved: Profile } | { changedBy: Profile }> => {
    try {
      const saved = await ask(updateAgency, request)
      client.setQueryData(['agency'], saved)
      void client.invalidateQueries({ queryKey: ['agency-changes'] })
      updateSettings(saved)
      return { saved }
    } catch (error) {
      if (!isRefusedAs(error, 'agency.changed')) throw error
      // Safe: the 409 of `updateAgency` carries the current profile as its data.
      const changedBy = error.failure.data as Profile
      client.setQueryData(['agency'], changedBy)
      void client.invalidateQueries({ queryKey: ['agency-changes'] })
      return { changedBy }
    }
  }
}

/** The menu shows the logo, the funnel uses the rest. */
function updateSettings({ address, contactInfo, billingInfo, logo }: Profile): void {
  const { settings } = useSettings.getState()
  if (settings) useSettings.setState({ settings: { ...settings, address, contactInfo, billingInfo, logo } })
}
