import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { endTwoFactor, newRecoveryCodes, type twoFactor } from '#common/session/account-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout, Card, State } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { PasswordField } from '../form/sign-in-fields.tsx'
import { checkSession } from '../session.ts'
import { RecoveryCodes } from '../two-factor/recovery-codes.tsx'
import { Buttons, SetUpTwoFactor } from '../two-factor/set-up.tsx'

type Factor = ResponseOf<typeof twoFactor>

export function TwoFactorCard({ query }: { query: UseQueryResult<Factor> }) {
  const { words } = useWords()
  const factor = query.data
  return (
    <Card
      title={words('account.two_factor.title')}
      actions={
        factor && (
          <State tone={factor.on ? 'success' : 'over'}>{words(factor.on ? 'account.two_factor.on' : 'account.two_factor.off')}</State>
        )
      }
    >
      {query.isError && !factor && <LoadError small error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && (
        <Loading>
          <Skeleton className="h-20 w-full" />
        </Loading>
      )}
      {factor && <Settings factor={factor} />}
    </Card>
  )
}

type OpenDialog = 'on' | 'off' | 'codes'

function Settings({ factor: { on, since, required, recoveryCodesLeft } }: { factor: Factor }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const client = useQueryClient()
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const done = (summary: string) => {
    setOpenDialog(undefined)
    for (const key of ['two-factor', 'sessions']) void client.invalidateQueries({ queryKey: [key] })
    void checkSession()
    showToast({ severity: 'success', summary })
  }
  const refresh = () => void client.invalidateQueries({ queryKey: ['two-factor'] })
  const close = () => {
    setOpenDialog(undefined)
    refresh()
  }
  return (
    <>
      <p className="text-quiet">
        {on && since
          ? words('account.two_factor.since', { since: moment(since), count: recoveryCodesLeft })
          : words('account.two_factor.about')}
      </p>
      {on && recoveryCodesLeft < 3 && <Callout tone="warning">{words('account.recovery.few')}</Callout>}
      {required && <p className="text-sm text-quiet">{words('account.two_factor.required')}</p>}
      <div className="flex flex-wrap justify-end gap-2 max-sm:*:flex-1">
        {on && (
          <Button look="quiet" onClick={() => setOpenDialog('codes')}>
            {words('account.recovery.new')}
          </Button>
        )}
        {on && !required && (
          <Button look="quiet" onClick={() => setOpenDialog('off')}>
            {words('account.two_factor.turn_off')}
          </Button>
        )}
        {!on && (
          <Button look="quiet" onClick={() => setOpenDialog('on')}>
            {words('account.two_factor.turn_on')}
          </Button>
        )}
      </div>
      <Dialog open={openDialog !== undefined} onClose={close} title={words(titles[openDialog ?? 'on'])} size="small">
        {openDialog === 'on' && <SetUpTwoFactor onDone={() => done(words('account.two_factor.turned_on'))} onCancel={close} />}
        {openDialog === 'off' && <TurnOffTwoFactor onDone={() => done(words('account.two_factor.turned_off'))} onCancel={close} />}
        {openDialog === 'codes' && <NewCodes onDone={close} onCancel={close} />}
      </Dialog>
    </>
  )
}

const titles = { on: 'account.two_factor.title', off: 'account.two_factor.turn_off', codes: 'account.recovery.new' } as const

function NewCodes({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
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

function TurnOffTwoFactor({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
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
