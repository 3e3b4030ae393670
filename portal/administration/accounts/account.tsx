import type { listAccounts } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

export type Account = ResponseOf<typeof listAccounts>['accounts'][number]

export function AccountState({ account: { overdueSince, headroom } }: { account: Account }) {
  const { words } = useWords()
  if (overdueSince !== null) return <State tone="danger">{words('administration.account_overdue')}</State>
  if (headroom !== null && headroom <= 0) return <State tone="warning">{words('administration.account_full')}</State>
  return <State tone="success">{words('administration.account_good')}</State>
}
