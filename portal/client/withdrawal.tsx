import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { clientWithdraw, type ClientPolicy, type Receipt } from '#common/client/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useClientFormat } from './format.ts'
import { wide } from './frame.tsx'
import { Part, Sheet } from './parts.tsx'

type Right = NonNullable<ClientPolicy['can']['withdraw']>
type Props = { token: string; policy: ClientPolicy; right: Right; onReceived: (receipt: Receipt) => void }
type Statement = { name: string; confirmTo: string }

/** The withdrawal function that the law requires: under its own name, with a statement and one button. It asks no reason and makes no offer. */
export function Withdrawal({ token, policy, right, onReceived }: Props) {
  const { words } = useWords()
  const [step, setStep] = useState<'offered' | 'statement' | 'confirm'>('offered')
  const [statement, setStatement] = useState<Statement>({ name: policy.holder, confirmTo: right.confirmTo })
  return (
    <Part key={step} title={words('client.withdrawal')} takesFocus={step !== 'offered'}>
      <Sheet className="grid gap-4">
        {step === 'offered' && <Offered policy={policy} right={right} onStart={() => setStep('statement')} />}
        {step === 'statement' && (
          <StatementForm
            number={policy.number}
            statement={statement}
            onContinue={stated => {
              setStatement(stated)
              setStep('confirm')
            }}
          />
        )}
        {step === 'confirm' && (
          <Confirm
            token={token}
            policy={policy}
            right={right}
            statement={statement}
            onBack={() => setStep('statement')}
            onReceived={onReceived}
          />
        )}
      </Sheet>
    </Part>
  )
}

function Offered({ policy, right, onStart }: { policy: ClientPolicy; right: Right; onStart: () => void }) {
  const { words } = useWords()
  const { day, daysUntil } = useClientFormat(policy)
  const { until } = right
  return (
    <>
      <p>{words('client.withdraw_until', { until: day(until), days: daysUntil(until) })}</p>
      <Refund policy={policy} right={right} />
      <Button look="quiet" className={`${wide} border-danger! text-danger!`} onClick={onStart}>
        {words('client.withdraw_here')}
      </Button>
    </>
  )
}

/** The refund and its way. Beside the confirming button it is a sentence of its own. */
function Refund({ policy, right: { refund, way }, isConfirming = false }: Pick<Props, 'policy' | 'right'> & { isConfirming?: boolean }) {
  const { words } = useWords()
  const { money } = useClientFormat(policy)
  if (refund === null) return <p>{words('client.withdraw_claimed')}</p>
  if (way === 'none') return <p>{words(isConfirming ? 'client.confirm_nothing' : 'client.withdraw_nothing')}</p>
  const refunded = { amount: money(refund), way, agency: policy.brand.name }
  return <p>{isConfirming ? words('client.confirm_refund', refunded) : words('client.withdraw_refund', refunded)}</p>
}

type FormProps = { number: string; statement: Statement; onContinue: (statement: Statement) => void }

function StatementForm({ number, statement, onContinue }: FormProps) {
  const { words } = useWords()
  return (
    <form
      className="grid gap-4"
      onSubmit={event => {
        event.preventDefault()
        const fields = new FormData(event.currentTarget)
        const text = (name: string) => {
          const value = fields.get(name)
          return typeof value === 'string' ? value : ''
        }
        onContinue({ name: text('name'), confirmTo: text('confirmTo') })
      }}
    >
      <TextField
        label={words('client.withdraw_name')}
        name="name"
        defaultValue={statement.name}
        autoComplete="name"
        maxLength={200}
        required
      />
      <TextField label={words('client.number')} name="number" value={number} readOnly />
      <TextField
        label={words('client.withdraw_address')}
        name="confirmTo"
        type="email"
        defaultValue={statement.confirmTo}
        autoComplete="email"
        maxLength={320}
        required
      />
      <Button type="submit" look="quiet" className={wide}>
        {words('client.continue')}
      </Button>
    </form>
  )
}

type ConfirmProps = Pick<Props, 'token' | 'policy' | 'right' | 'onReceived'> & { statement: Statement; onBack: () => void }

/** The full statement, and one button. */
function Confirm({ token, policy, right, statement, onBack, onReceived }: ConfirmProps) {
  const { words } = useWords()
  const once = useIdempotencyKey()
  const { busy, failure, submit } = useSubmit(async () => {
    const request = { token, ...statement, version: policy.version }
    try {
      onReceived(await once(request, idempotencyKey => ask(clientWithdraw, request, { idempotencyKey })))
    } catch (error) {
      // The withdrawal is received nevertheless, and the insurer decides.
      if (!isRefusedAs(error, 'withdraw.claimed')) throw error
      // Safe: this refusal contains the receipt.
      onReceived(error.failure.data as Receipt)
    }
  })
  const { product, number } = policy
  return (
    <form onSubmit={submit} className="grid gap-4">
      <p className="font-semibold">{words('client.statement', { name: statement.name, product, number })}</p>
      <Refund policy={policy} right={right} isConfirming />
      <p>{words('client.statement_receipt', { address: statement.confirmTo })}</p>
      <FormError text={failure.message ?? Object.values(failure.fields)[0]} />
      <Button type="submit" look="danger" className={wide} busy={busy}>
        {words('client.withdraw_confirm')}
      </Button>
      <a
        href={`#${token}`}
        className="inline-flex min-h-11 items-center justify-self-center text-quiet underline underline-offset-4"
        onClick={event => {
          event.preventDefault()
          onBack()
        }}
      >
        {words('client.back')}
      </a>
    </form>
  )
}

/** Shown without a right of withdrawal: the reason, and the refund of a cancellation. */
export function NoWithdrawal({ policy, cancelling }: { policy: ClientPolicy; cancelling: NonNullable<ClientPolicy['cancelling']> }) {
  const { words } = useWords()
  const { money } = useClientFormat(policy)
  return (
    <Sheet className="grid gap-2 text-[0.9375rem]/5.5 text-quiet">
      <p>{words('client.no_right', { why: cancelling.why ?? 'other' })}</p>
      {cancelling.refund > 0 && <p>{words('client.cancelling', { agency: policy.brand.name, amount: money(cancelling.refund) })}</p>}
    </Sheet>
  )
}

/** Shown for links sent to other addresses, which also get certificates. They show the policy, and point to the policyholder's link. */
export function HolderOnly() {
  const { words } = useWords()
  return (
    <Sheet className="grid gap-2 text-[0.9375rem]/5.5 text-quiet">
      <p>{words('client.holder_only')}</p>
      <Link to="/my-policy" hash="" className="inline-flex min-h-11 items-center underline underline-offset-4">
        {words('client.find_title')}
      </Link>
    </Sheet>
  )
}
