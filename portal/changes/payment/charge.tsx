import type { ReactNode } from 'react'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import { GatewayChoice, isCard } from '#portal/payments/gateway-choice.tsx'
import { Note } from '../note.tsx'
import type { Terms } from '../terms.ts'
import { offerWay, type Way } from './way.ts'

type Props = { charge: number; way: Way; terms: Terms; byCard?: 'changes.by_card' | 'changes.reinstated_by_card'; children?: ReactNode }

/** The way in which a step is charged, and the choice of another. `children`: the fields that an offer needs besides. */
export function Charge({ charge, way, terms, byCard = 'changes.by_card', children }: Props) {
  const { words } = useWords()
  const { cents } = useFormat()
  const { options, gateway, waived, isByCard, canOffer, isOffer, choose } = way
  const { currency, policy } = terms
  const amount = { amount: cents(charge, currency) }
  if (charge === 0 || waived > 0) return null
  const wasByCard = isCard(policy.payments[0]?.gateway ?? '')
  return (
    <>
      {options.length > 0 && (
        <GatewayChoice
          gateways={options}
          more={
            canOffer
              ? [{ value: offerWay, label: words('changes.by_offer'), detail: words('changes.by_offer_detail'), icon: 'mail' as const }]
              : []
          }
          value={isOffer ? offerWay : (gateway?.uuid ?? '')}
          onChange={choose}
        />
      )}
      {isByCard && gateway && <Note icon="card">{words(byCard, amount)}</Note>}
      {isOffer && children}
      {!isByCard && !isOffer && <Note icon="building">{words(wasByCard ? 'changes.card_by_account' : 'changes.by_account', amount)}</Note>}
      {isByCard && !gateway && <Note icon="alert-triangle">{words('changes.card_not_possible', amount)}</Note>}
    </>
  )
}
