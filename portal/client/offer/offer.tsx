import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { type ClientChange, clientChange, clientChangeDecline, clientChangePay, type ClientPolicy } from '#common/client/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { FormError } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Decline } from '../decline.tsx'
import { useClientFormat } from '../format.ts'
import { wide } from '../frame.tsx'
import { Part, Sheet } from '../parts.tsx'
import { OfferedChanges } from './changes.tsx'

/** Loaded when the client pays, with the card network's form. */
const ClientCard = lazy(() => import('../card.tsx').then(({ ClientCard }) => ({ default: ClientCard })))

type Secret = { clientSecret: string; publishableKey: string }
type Props = { token: string; policy: ClientPolicy; reload: () => void }

/** A change that the agency offers: its effect and cost, to be paid by card or declined. Until then the policy stays unchanged. */
export function Offer({ token, policy, reload }: Props) {
  const { words, locale } = useWords()
  const { money } = useClientFormat(policy)
  const [offer, setOffer] = useState<ClientChange>()
  const [secret, setSecret] = useState<Secret>()
  const [ended, setEnded] = useState<'done' | 'declined'>()
  const [busy, setBusy] = useState<'pay' | 'decline'>()
  const [isPaying, setPaying] = useState(false)
  const [error, setError] = useState<unknown>()
  /** Runs a step of the client's answer. If it fails, the offer is read again, as it may have ended meanwhile. */
  async function step(what: 'pay' | 'decline', work: () => Promise<void>) {
    if (busy) return
    setBusy(what)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setError(failure)
      await ask(clientChange, { token }).then(setOffer, () => undefined)
    } finally {
      setBusy(undefined)
    }
  }
  function end(state: 'done' | 'declined') {
    setSecret(undefined)
    setEnded(state)
    reload()
  }
  const pay = (changeUuid: string) =>
    step('pay', async () => {
      const { state, clientSecret, publishableKey } = await ask(clientChangePay, { token, changeUuid })
      if (state === 'done') end('done')
      else if (clientSecret && publishableKey) setSecret({ clientSecret, publishableKey })
    })
  const decline = (changeUuid: string) => step('decline', async () => end((await ask(clientChangeDecline, { token, changeUuid })).state))
  const show = useEffectEvent((shown: ClientChange) => {
    setOffer(shown)
    // The card may have been charged before a reload. The form then detects the charge.
    if (shown.state === 'awaiting_payment') void pay(shown.changeUuid)
  })
  useEffect(() => {
    const controller = new AbortController()
    ask(clientChange, { token }, { signal: controller.signal })
      .then(show)
      .catch((failure: unknown) => {
        if (!controller.signal.aborted) setError(failure)
      })
    return () => controller.abort()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- it loads again in another language
  }, [token, locale])
  if (ended) return <Ended state={ended} isNew />
  if (!offer) return error === undefined ? null : <FormError text={errorMessage(error, words)} />
  if (!offer.changes || offer.state === 'expired') return <Ended state={offer.state} />
  const { changeUuid } = offer
  return (
    <Part title={words('offer.title')}>
      <Sheet className="grid gap-4">
        <p>{words('offer.intro', { agency: policy.brand.name })}</p>
        <OfferedChanges offer={offer} changes={offer.changes} policy={policy} />
        <FormError text={error === undefined ? undefined : errorMessage(error, words)} />
        {secret ? (
          <Suspense>
            <ClientCard
              secret={secret}
              pay={words('offer.pay', { amount: money(offer.charge) })}
              path="/my-policy"
              onPaying={setPaying}
              report={async paymentIntentClientSecret => {
                await ask(clientChangePay, { token, changeUuid, paymentIntentClientSecret })
                end('done')
              }}
            />
          </Suspense>
        ) : (
          <Button className={wide} busy={busy === 'pay'} onClick={() => void pay(changeUuid)}>
            {words('offer.pay', { amount: money(offer.charge) })}
          </Button>
        )}
        <Decline
          label={words('offer.decline')}
          question={words('offer.decline_hint', { agency: policy.brand.name })}
          confirm={words('offer.decline_confirm')}
          busy={busy === 'decline'}
          disabled={isPaying}
          onDecline={() => void decline(changeUuid)}
        />
      </Sheet>
    </Part>
  )
}

const endings = {
  done: 'offer.done',
  declined: 'offer.declined',
  expired: 'offer.expired',
  taken_back: 'offer.taken_back',
  // An open offer shows its changes instead.
  offered: 'offer.title',
  awaiting_payment: 'offer.title',
} as const satisfies Record<ClientChange['state'], string>

function Ended({ state, isNew = false }: { state: ClientChange['state']; isNew?: boolean }) {
  const { words } = useWords()
  const isDone = state === 'done'
  return (
    <Part title={words(isDone ? 'offer.paid' : 'offer.title')} takesFocus={isNew}>
      <output className={`rounded-xl border p-4 ${isDone ? 'border-success bg-success-soft' : 'border-hair bg-sheet text-quiet'}`}>
        {words(endings[state])}
      </output>
    </Part>
  )
}
