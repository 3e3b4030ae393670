import { useCallback, useState } from 'react'
import { clientChangePay } from '#common/client/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { FormError } from '#portal/kit/submit/submit.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { CardPayment } from '#portal/payments/card-payment.tsx'

type Props = {
  token: string
  changeUuid: string
  secret: { clientSecret: string; publishableKey: string }
  amount: string
  onPaying: (paying: boolean) => void
  onDone: () => void
}

/** Takes the client's card, with the same form as the desk. A card charged before a reload is detected and reported. */
export function OfferCard({ token, changeUuid, secret, amount, onPaying, onDone }: Props) {
  const { words } = useWords()
  const [error, setError] = useState<unknown>()
  const { clientSecret, publishableKey } = secret
  const report = useCallback(async () => {
    setError(undefined)
    try {
      await ask(clientChangePay, { token, changeUuid, paymentIntentClientSecret: clientSecret })
      onDone()
    } catch (failure) {
      setError(failure)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `onDone` is new at each render, and the offer ends once
  }, [token, changeUuid, clientSecret])
  return (
    <>
      <CardPayment
        clientSecret={clientSecret}
        publishableKey={publishableKey}
        pay={words('offer.pay', { amount })}
        // Without the token, which no other server may see. After a bank's own page, the network's event makes the change.
        path="/my-policy"
        onPaying={onPaying}
        onPaid={report}
      />
      <FormError text={error === undefined ? undefined : errorMessage(error, words)} />
    </>
  )
}
