import { openStore } from '#portal/kit/stores.ts'
import { useSession } from '#portal/session/session.ts'
import type { Option } from '#portal/kit/combobox/options.ts'
import type { IconName } from '#portal/kit/ui/icon.tsx'

/** A command of the palette: it opens a page, with its search. `mark` says that a policy is cancelled. */
export type Command = Option & { icon: IconName; to: string; search?: Record<string, string> | undefined; mark?: string | undefined }

const most = 5

/** The commands last chosen in each unit, newest first. They may name policyholders, so they are encrypted and end with the session. */
export const useRecents = openStore<{ byUnit: Record<string, Command[]> }>('recent', { byUnit: {} })

const unitNow = ({ unitUuid }: { unitUuid: string | undefined }): string => unitUuid ?? ''

export function useRecent(): Command[] {
  const unit = useSession(unitNow)
  return useRecents(({ byUnit }) => byUnit[unit]) ?? none
}

const none: Command[] = []

export function keepRecent(command: Command): void {
  const unit = unitNow(useSession.getState())
  const { byUnit } = useRecents.getState()
  const others = (byUnit[unit] ?? none).filter(({ value }) => value !== command.value)
  useRecents.setState({ byUnit: { ...byUnit, [unit]: [command, ...others].slice(0, most) } })
}
