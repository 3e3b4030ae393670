import { useQueryClient } from '@tanstack/react-query'
import { updateAgency } from '#common/agency/calls.ts'
import type { RequestSentOf } from '#common/kit/call.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import type { Profile } from './fields.ts'

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
