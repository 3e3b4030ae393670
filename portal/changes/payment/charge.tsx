import { type ReactNode, useState } from 'react'
import { isOfferable, routesOfCharge } from '#common/changes/money.ts'
import { accountGateway } from '#common/changes/state.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import { GatewayChoice, isCard } from '#portal/payments/gateway-choice.tsx'
import { Note } from '../notes.tsx'
import type { Terms } from '../terms.ts'

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

type Gateway = Terms['gateways'][number]

/** Returns the default gateway of a step's charge: the sale's if the unit still has it, else the account. */
export const usualWay = ({ gateways, policy: { payments } }: Pick<Terms, 'gateways' | 'policy'>): Gateway | undefined =>
  gateways.find(({ name }) => name === payments[0]?.gateway) ?? gateways.find(({ name }) => name === accountGateway) ?? gateways[0]

/** The gateway of a charge in the format of a call. */
export const settleBy = (way: Gateway | undefined) => (way ? { settle: { paymentGatewayUUID: way.uuid } } : {})

/** The value for an offer, among the gateways' ids. */
const offerWay = 'offer'

/**
 * The way of a charge. The agent may choose it if the unit has several gateways and a card accepts the amount. A change can also be offered to the
 * client.
 */
export type Way = ReturnType<ReturnType<typeof useWay>>

/** Returns a function that gives the way of a step's charge, and the possible choices. */
export function useWay(terms: Terms, offers = false) {
  const [chosen, choose] = useState('')
  const { gateways, policy, now } = terms
  return (charge: number) => {
    const way = gateways.find(({ uuid }) => uuid === chosen) ?? usualWay(terms)
    const settled = routesOfCharge(policy, charge, now, way?.name)
    const canOffer = offers && isOfferable(policy, charge, now)
    const isOffer = canOffer && chosen === offerWay
    const takes = ({ name }: Gateway) => routesOfCharge(policy, charge, now, name).routes[0]?.gateway === name
    return {
      gateway: way,
      ...settled,
      isByCard: !isOffer && settled.routes.some(({ gateway }) => isCard(gateway)),
      canOffer,
      isOffer,
      options: charge > 0 && gateways.length + Number(canOffer) > 1 && gateways.every(takes) ? gateways : [],
      choose,
    }
  }
}
