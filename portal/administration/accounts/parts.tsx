import { lazy, Suspense } from 'react'
import { oneOf } from '#portal/kit/list/list-params.ts'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useParams } from '../list-params.ts'
import { AccountsTab } from './accounts-tab.tsx'

const Bordereaux = lazy(() => import('../bordereau/bordereaux.tsx').then(({ Bordereaux }) => ({ default: Bordereaux })))

/** The money between the insurer and the agencies: their accounts, and the bordereaux of the closed months. */
export function AccountParts() {
  const { words } = useWords()
  const { params, switchTo } = useParams()
  const part = oneOf(['balances', 'bordereaux'] as const, params.part) ?? 'balances'
  return (
    <Tabs
      label={words('administration.accounts')}
      value={part}
      onChange={part => switchTo({ tab: 'accounts', part })}
      tabs={[
        { id: 'balances', label: words('administration.account_balances') },
        { id: 'bordereaux', label: words('administration.bordereaux') },
      ]}
    >
      {part === 'balances' ? (
        <AccountsTab />
      ) : (
        <Suspense>
          <Bordereaux />
        </Suspense>
      )}
    </Tabs>
  )
}
