import { useEffect, useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { qrCode } from '#common/session/qr.ts'
import { beginTwoFactor, confirmTwoFactor } from '#common/session/account-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { PasswordField } from '../form/sign-in-fields.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Setup = ResponseOf<typeof beginTwoFactor>

/** Sets up the second factor in three steps: password, first code, recovery codes. It takes effect after the second. */
export function SetUpTwoFactor({ onDone, onCancel }: { onDone: () => void; onCancel?: () => void }) {
  const [setup, setSetup] = useState<Setup>()
  const [codes, setCodes] = useState<string[]>()
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (setup) return <Confirmation setup={setup} onConfirmed={setCodes} onCancel={onCancel} />
  return <Password onBegin={setSetup} onCancel={onCancel} />
}

type CancelProps = { onCancel: (() => void) | undefined }

function Password({ onBegin, onCancel }: CancelProps & { onBegin: (setup: Setup) => void }) {
  const { words } = useWords()
  const { busy, failure, submit } = useSubmit(async ({ password = '' }) => onBegin(await ask(beginTwoFactor, { password })))
  return (
    <form onSubmit={submit} className="grid gap-4">
      <p className="text-quiet">{words('account.two_factor.intro')}</p>
      <PasswordField data-first error={failure.fields['password']} />
      <FormError text={failure.fields['password'] ? undefined : failure.message} />
      <Buttons busy={busy} label={words('account.two_factor.next')} onCancel={onCancel} />
    </form>
  )
}

function Confirmation({ setup, onConfirmed, onCancel }: CancelProps & { setup: Setup; onConfirmed: (codes: string[]) => void }) {
  const { words } = useWords()
  const picture = qrCode(setup.uri)
  const { busy, failure, submit } = useSubmit(async ({ code = '' }) => onConfirmed((await ask(confirmTwoFactor, { code })).recoveryCodes))
  useEffect(() => document.querySelector<HTMLInputElement>('[name=code]')?.focus(), [])
  return (
    <form onSubmit={submit} className="grid gap-4">
      <p className="text-quiet">{words('account.two_factor.scan')}</p>
      {picture && (
        <img
          src={`data:image/svg+xml,${encodeURIComponent(picture)}`}
          alt={words('account.two_factor.picture')}
          width={192}
          height={192}
          className="size-48 justify-self-center rounded-lg border border-line bg-white"
        />
      )}
      <p className="grid gap-1 text-sm text-quiet">
        {words('account.two_factor.key')}
        <code className="rounded-md bg-sunken p-2 text-center break-all text-ink select-all">{spaced(setup.secret)}</code>
      </p>
      <TextField
        label={words('session.code.label')}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        required
        error={failure.fields['code']}
      />
      <FormError text={failure.fields['code'] ? undefined : failure.message} />
      <Buttons busy={busy} label={words('account.two_factor.confirm')} onCancel={onCancel} />
    </form>
  )
}

const spaced = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(' ')

export function Buttons({ busy, label, onCancel }: CancelProps & { busy: boolean; label: string }) {
  const { words } = useWords()
  return (
    <div className="flex flex-wrap justify-end gap-2 max-sm:*:flex-1">
      {onCancel && (
        <Button look="quiet" onClick={onCancel}>
          {words('ui.cancel')}
        </Button>
      )}
      <Button type="submit" busy={busy} className={onCancel ? '' : 'flex-1'}>
        {label}
      </Button>
    </div>
  )
}
