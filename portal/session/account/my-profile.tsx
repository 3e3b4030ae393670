import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword, twoFactor } from '#common/session/account-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { NewPasswordForm } from '../form/new-password-form.tsx'
import { hasExternalSignIn, useUser } from '../session.ts'
import { PersonCard } from './person-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

/** The settings of the user's own account. With external sign-in, password and codes are managed elsewhere. */
export function MyProfile() {
  const hasPassword = !hasExternalSignIn()
  const factor = useQuery({ queryKey: ['two-factor'], ...loadingOf(twoFactor, {}), enabled: hasPassword })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-(--card) xl:grid-cols-2">
      <PersonCard />
      {hasPassword && <PasswordCard />}
      {hasPassword && <TwoFactorCard query={factor} />}
      <SessionsCard />
    </div>
  )
}

function PasswordCard() {
  const { words } = useWords()
  const { email } = useUser()
  const client = useQueryClient()
  const [changes, setChanges] = useState(0)
  async function change(values: { current: string; password: string }) {
    await ask(changePassword, values)
    setChanges(changes + 1)
    await client.invalidateQueries({ queryKey: ['sessions'] })
    showToast({ severity: 'success', summary: words('account.password.changed') })
  }
  return (
    <Card title={words('session.sign_in.password')}>
      <NewPasswordForm
        key={changes}
        email={email}
        currentLabel={words('account.password.current')}
        submitLabel={words('account.password.change')}
        quiet
        onSend={change}
        note={<p className="text-sm text-quiet">{words('account.password.hint')}</p>}
      />
    </Card>
  )
}
