import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { openChange, payChange } from '#common/changes/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { Failure } from '#portal/kit/errors/failure.tsx'
import { errorLines } from '#portal/kit/errors/error-message.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { CardPayment } from '#portal/payments/card-payment.tsx'
import { policiesChanged } from '#portal/policies/policy-query.ts'
import { deskOf, type DeskParam, noDesk } from '../desk-params.ts'
import { DeskFrame, type Frame } from '../desk-frame.tsx'
import { abandon, type OpenChange, WaitingNote } from './waiting.tsx'

type Props = {
  open: OpenChange
  currency: string
  heading: string
  frame: Frame
  /** Called when the change is made, and the desk closes. */
  onMade: (step: PaidStep) => void
}
export type PaidStep = ResponseOf<typeof payChange>

/** Takes the card for a change that waits for payment. It can be left and paid later; until then the policy stays unchanged. */
export function PayDesk({ open, currency, heading, frame, onMade }: Props) {
  const { words } = useWords()
  const { money } = useFormat()
  const { show } = useListParams<DeskParam>()
  const { changeUuid } = open
  const { policyUuid } = frame
  const { data, error, refetch } = useQuery({
    // Not one of the policies' keys, as reloading those must not reset the card form.
    queryKey: ['open-change', changeUuid],
    queryFn: ({ signal }) => ask(openChange, { changeUuid }, { signal }),
    staleTime: Infinity,
    gcTime: 0,
  })
  const [isPaying, setPaying] = useState(false)
  const [made, setMade] = useState<PaidStep>()
  const [failure, setFailure] = useState<string>()
  useBlocker({ disabled: !isPaying, enableBeforeUnload: false, shouldBlockFn: () => true })
  // The change may have been made elsewhere: by the network's event, or in another tab.
  const step = made ?? (data?.state === 'done' ? data : undefined)
  useEffect(() => {
    if (!step || isPaying) return
    onMade(step)
    // oxlint-disable-next-line react/exhaustive-deps -- `onMade` is new at each render, and the desk closes once
  }, [step, isPaying])
  const report = useCallback(
    async (paymentIntentClientSecret: string | null | undefined) => {
      setFailure(undefined)
      try {
        setMade(await ask(payChange, { changeUuid, paymentIntentClientSecret }))
      } catch (error) {
        const isFinal = error instanceof Refused && !error.mayChange
        // The form finds that the card was charged, so its button only reports the payment again.
        if (!isFinal) return setFailure(errorLines(error, words))
        alertError(error)
        await policiesChanged()
      }
    },
    [changeUuid, words],
  )
  const onPaid = useCallback(() => report(data?.clientSecret), [report, data?.clientSecret])
  return (
    <DeskFrame
      {...frame}
      heading={heading}
      foot={
        <>
          <Button
            look="quiet"
            className="max-sm:flex-1 max-sm:whitespace-normal"
            aria-disabled={isPaying}
            onClick={() => isPaying || show(noDesk)}
          >
            {words('changes.pay_later')}
          </Button>
          <Button
            look="plain"
            className="max-sm:flex-1 max-sm:whitespace-normal"
            aria-disabled={isPaying}
            onClick={() => isPaying || void abandon(open, words)}
          >
            {words('changes.abandon')}
          </Button>
        </>
      }
    >
      <WaitingNote open={open} currency={currency} />
      {data?.clientSecret && data.publishableKey ? (
        <CardPayment
          clientSecret={data.clientSecret}
          publishableKey={data.publishableKey}
          pay={words('changes.pay_amount', { amount: money(data.charge, currency) })}
          path={`/policies?policy=${policyUuid}&desk=${deskOf(open)}`}
          onPaying={setPaying}
          onPaid={onPaid}
        />
      ) : (
        !error && <Skeleton className="h-24 w-full" />
      )}
      <Failure>{failure}</Failure>
      {error && <LoadError title={words('payments.card_not_loaded')} error={error} retry={() => void refetch()} />}
    </DeskFrame>
  )
}

type OfferDeskProps = { open: OpenChange; currency: string; heading: string; frame: Frame }

/** Replaces the desk while an offer waits for the client. Nothing else can be changed, but the offer can be revoked. */
export function OfferDesk({ open, currency, heading, frame }: OfferDeskProps) {
  const { words } = useWords()
  const { show } = useListParams<DeskParam>()
  return (
    <DeskFrame
      {...frame}
      heading={heading}
      foot={
        <>
          <Button look="quiet" className="max-sm:flex-1 max-sm:whitespace-normal" onClick={() => show(noDesk)}>
            {words('changes.back')}
          </Button>
          <Button look="plain" className="max-sm:flex-1 max-sm:whitespace-normal" onClick={() => void abandon(open, words)}>
            {words('changes.take_offer_back')}
          </Button>
        </>
      }
    >
      <WaitingNote open={open} currency={currency} />
    </DeskFrame>
  )
}
