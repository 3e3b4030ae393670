import { useState } from 'react'
import { newRecoveryCodes } from '#common/session/account-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useSubmit } from '#portal/kit/submit/use-submit.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { FormError } from '#portal/kit/submit/form-error.tsx'
import { Buttons } from './set-up.tsx'

export function NewCodes({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { words } = useWords()
  const [codes, setCodes] = useState<string[]>()
  const { busy, failure, submit } = useSubmit(async ({ code = '' }) => setCodes((await ask(newRecoveryCodes, { code })).recoveryCodes))
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  const error = failure.fields['code']
  return (
    <form onSubmit={submit} className="grid gap-4">
      <p className="text-quiet">{words('account.recovery.new_intro')}</p>
      <TextField
        label={words('session.code.label')}
        data-first
        name="code"
        autoComplete="one-time-code"
        maxLength={40}
        required
        error={error}
      />
      <FormError text={error ? undefined : failure.message} />
      <Buttons busy={busy} label={words('account.two_factor.next')} onCancel={onCancel} />
    </form>
  )
}
