import { useRef, useState } from 'react'
import { clientQuotePay, type ClientQuotes } from '#common/client/quote/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { RadioCards } from '#portal/kit/field/radio-cards.tsx'
import { FormError } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { CardSecret } from '#portal/payments/card-payment.tsx'
import { ClientCard } from '../card.tsx'
import { useClientFormat } from '../format.ts'
import { wide } from '../frame.tsx'
import { inLanguage, Part } from '../parts.tsx'
import type { ClientQuote } from './quote.ts'

type Props = {
  token: string
  page: ClientQuotes
  quote: ClientQuote
  onBack: () => void
  onPaying: (paying: boolean) => void
  onFailed: (error: unknown) => Promise<boolean>
  onEnd: (state: 'done' | 'accepted' | 'declined') => Promise<void>
}

/** The client's declarations, and the card. No box is ticked before, and what is declared is kept with the policy. */
export function Pay({ token, page, quote, onBack, onPaying, onFailed, onEnd }: Props) {
  const { words } = useWords()
  const { list, money } = useClientFormat({ ...page, price: quote.price })
  const [needs, setNeeds] = useState(false)
  const [received, setReceived] = useState(false)
  const [begin, setBegin] = useState<'yes' | 'no' | ''>('')
  const [isChecked, setIsChecked] = useState(false)
  const [secret, setSecret] = useState<CardSecret>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const form = useRef<HTMLFormElement>(null)
  const { policyUuid, version, price, files, withdrawal, demandsAndNeeds } = quote
  const lacks = { needs: !needs, received: !received, begin: withdrawal && begin === '' }
  const [lacking] = Object.entries(lacks).flatMap(([name, isLacking]) => (isLacking ? [name] : []))
  // The version that the client has read, which the first call replaces.
  const [read] = useState({ policyUuid, version, expectedTotal: price.total })

  /** Returns the payment's secret, unless the quote is answered. */
  async function pay(paymentIntentClientSecret?: string): Promise<CardSecret | undefined> {
    const declared = { needs: true as const, files: files.map(({ uuid }) => uuid), beginNow: withdrawal ? begin === 'yes' : null }
    try {
      const { state, clientSecret, publishableKey } = await ask(clientQuotePay, { token, ...read, declared, paymentIntentClientSecret })
      if (state !== 'awaiting_payment') await onEnd(state)
      else if (clientSecret && publishableKey) return { clientSecret, publishableKey }
    } catch (failure) {
      if (!(await onFailed(failure))) throw failure
    }
    return undefined
  }
  async function submit() {
    setIsChecked(true)
    if (lacking !== undefined) return form.current?.querySelector<HTMLInputElement>(`[name=${lacking}]`)?.focus()
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      setSecret(await pay())
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  if (secret)
    return (
      <ClientCard
        secret={secret}
        pay={words('quoted.pay', { amount: money(price.total) })}
        path="/my-quote"
        onPaying={onPaying}
        report={async clientSecret => void (await pay(clientSecret))}
      />
    )
  const missing = (name: keyof typeof lacks) => (isChecked && lacks[name] ? words('answer.confirm') : undefined)
  return (
    <Part title={words(page.cards ? 'answer.before' : 'answer.before_accept')} level={3} takesFocus>
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <p lang={inLanguage(page)}>{demandsAndNeeds}</p>
        <Checkbox name="needs" label={words('answer.needs')} required checked={needs} onChange={setNeeds} error={missing('needs')} />
        <Checkbox
          name="received"
          label={words('answer.received', { documents: list(files.map(({ label }) => label)) })}
          required
          checked={received}
          onChange={setReceived}
          error={missing('received')}
        />
        {withdrawal && (
          <RadioCards
            label={words('answer.begin')}
            name="begin"
            required
            value={begin}
            onChange={setBegin}
            options={[
              { value: 'yes', label: words('answer.yes') },
              { value: 'no', label: words('answer.no') },
            ]}
            error={isChecked && lacks.begin ? words('answer.begin_missing') : undefined}
          />
        )}
        <FormError text={error === undefined ? undefined : (refusedFields(error)[0]?.message ?? errorMessage(error, words))} />
        <Button type="submit" className={wide} busy={busy}>
          {page.cards ? words('client.continue') : words('quoted.accept')}
        </Button>
        <Button look="quiet" className={wide} onClick={onBack}>
          {words('client.back')}
        </Button>
      </form>
    </Part>
  )
}
