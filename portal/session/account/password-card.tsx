import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword } from '#common/session/account-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { NewPasswordForm } from '../form/new-password-form.tsx'
import { useUser } from '../session.ts'

export function PasswordCard() {
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
