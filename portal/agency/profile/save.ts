import { useQueryClient } from '@tanstack/react-query'
import { updateAgency } from '#common/agency/calls.ts'
import type { QuestionSent } from '#common/kit/call.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import type { Profile } from './fields.ts'

/** Saves, and shows everywhere what was saved. Somebody who was faster is no failure: what he made of it is given instead. */
export function useSaveProfile() {
  const client = useQueryClient()
  return async (question: QuestionSent<typeof updateAgency>): Promise<{ saved: Profile } | { changedBy: Profile }> => {
    try {
      const saved = await ask(updateAgency, question)
      client.setQueryData(['agency'], saved)
      void client.invalidateQueries({ queryKey: ['agency-changes'] })
      showIn(saved)
      return { saved }
    } catch (error) {
      if (!isRefusedAs(error, 'agency.changed')) throw error
      const changedBy = error.failure.data as Profile
      client.setQueryData(['agency'], changedBy)
      void client.invalidateQueries({ queryKey: ['agency-changes'] })
      return { changedBy }
    }
  }
}

/** The logo stands in the menu, the rest in what is sold. */
function showIn({ address, contactInfo, billingInfo, logo }: Profile): void {
  const { settings } = useSettings.getState()
  if (settings) useSettings.setState({ settings: { ...settings, address, contactInfo, billingInfo, logo } })
}
