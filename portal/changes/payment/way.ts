import { useState } from 'react'
import { routesOfCharge } from '#common/changes/money.ts'
import { isOfferable } from '#common/changes/offer.ts'
import { accountGateway } from '#common/changes/state.ts'
import { isCard } from '#portal/payments/gateway-choice.tsx'
import type { Terms } from '../terms.ts'

type Gateway = Terms['gateways'][number]

/** Returns the default gateway of a step's charge: the sale's if the unit still has it, else the account. */
export const usualWay = ({ gateways, policy: { payments } }: Pick<Terms, 'gateways' | 'policy'>): Gateway | undefined =>
  gateways.find(({ name }) => name === payments[0]?.gateway) ?? gateways.find(({ name }) => name === accountGateway) ?? gateways[0]

/** The gateway of a charge in the format of a call. */
export const settleBy = (way: Gateway | undefined) => (way ? { settle: { paymentGatewayUUID: way.uuid } } : {})

/** The value for an offer, among the gateways' ids. */
export const offerWay = 'offer'

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
