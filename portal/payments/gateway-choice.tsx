import type { ComponentProps } from 'react'
import { RadioCards } from '#portal/kit/field/radio-cards.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Props = {
  gateways: readonly { uuid: string; name: string }[]
  value: string
  disabled?: boolean
  /** Further options, after the gateways. */
  more?: ComponentProps<typeof RadioCards>['options']
  onChange: (uuid: string) => void
}

/** The choice of who pays now: the client by card, or the agency on account. */
export function GatewayChoice({ gateways, value, disabled = false, more, onChange }: Props) {
  const { words } = useWords()
  return (
    <RadioCards
      label={words('payments.how')}
      name="paymentGatewayUUID"
      required
      value={value}
      onChange={onChange}
      options={[
        ...gateways.map(({ name, uuid }) => ({
          value: uuid,
          label: words(isCard(name) ? 'payments.by_card' : 'payments.by_account'),
          detail: words(isCard(name) ? 'payments.by_card_detail' : 'payments.by_account_detail'),
          icon: isCard(name) ? ('card' as const) : ('building' as const),
          disabled,
        })),
        ...(more ?? []),
      ]}
    />
  )
}

/** spec 9, gateway names. */
export const isCard = (name: string): boolean => name === 'StripeV2'
