import { endTwoFactor } from '#common/session/account-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useSubmit } from '#portal/kit/submit/use-submit.ts'
import { FormError } from '#portal/kit/submit/form-error.tsx'
import { PasswordField } from '../form/sign-in-fields.tsx'
import { Buttons } from './set-up.tsx'

export function TurnOffTwoFactor({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { words } = useWords()
  const { busy, failure, submit } = useSubmit(async ({ password = '', code = '' }) => {
    await ask(endTwoFactor, { password, code })
    onDone()
  })
  const { fields, message } = failure
  return (
    <form onSubmit={submit} className="grid gap-4">
      <PasswordField data-first error={fields['password']} />
      <TextField
        label={words('session.code.label')}
        hint={words('session.code.hint')}
        name="code"
        autoComplete="one-time-code"
        maxLength={40}
        required
        error={fields['code']}
      />
      <FormError text={Object.keys(fields).length > 0 ? undefined : message} />
      <Buttons busy={busy} label={words('account.two_factor.turn_off')} onCancel={onCancel} />
    </form>
  )
}
