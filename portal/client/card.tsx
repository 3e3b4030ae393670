import { useCallback, useState } from 'react'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { FormError } from '#portal/kit/submit/submit.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { CardPayment, type CardSecret } from '#portal/payments/card-payment.tsx'

type Props = {
  secret: CardSecret
  /** The button's text. */
  pay: string
  /** The page's path without the token, which no other server may see. After a bank's own page, the network's event completes the payment. */
  path: string
  onPaying: (paying: boolean) => void
  /** Reports the payment to the service. */
  report: (clientSecret: string) => Promise<void>
}

/** Takes the client's card, with the same form as the desk. A card charged before a reload is detected and reported. */
export function ClientCard({ secret: { clientSecret, publishableKey }, pay, path, onPaying, report }: Props) {
  const { words } = useWords()
  const [error, setError] = useState<unknown>()
  const reportPaid = useCallback(async () => {
    setError(undefined)
    try {
      await report(clientSecret)
    } catch (failure) {
      setError(failure)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `report` is new at each render, which must not open the form again
  }, [clientSecret])
  return (
    <>
      <CardPayment
        clientSecret={clientSecret}
        publishableKey={publishableKey}
        pay={pay}
        path={path}
        onPaying={onPaying}
        onPaid={reportPaid}
      />
      <FormError text={error === undefined ? undefined : errorMessage(error, words)} />
    </>
  )
}
