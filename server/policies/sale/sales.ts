import type { World } from '#server/kit/front.ts'
import type { Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { MailAttachment } from '#server/mail/tables.ts'
import type { CardNetwork } from '#server/payments/gateway.ts'
import type { PolicyRow } from '../rows.ts'
import { type Numbers, openNumbers } from './numbers.ts'

/** What the verbs of a sale are handed. Without a card network nothing is sold by card. */
export type Sales = { world: World; cards: CardNetwork | undefined; numbers: Numbers; papers: Papers }

export type PolicyFile = { uuid: string; name: string; label: string; file: string }

/** The documents of a policy, as far as a sale has to know of them. */
export type Papers = {
  /** Notes, in the transaction of the sale, which documents there will be. */
  note(scope: Scope, tx: Tx, policy: PolicyRow): Promise<void>
  list(scope: Scope, tx: Tx, policy: PolicyRow): Promise<PolicyFile[]>
  /** Makes those that are not there yet, with no transaction open; a second time it finds them. */
  make(scope: Scope, policyId: string): Promise<MailAttachment[]>
}

export const policyPurchased = 'policy.purchased'

export const openSales = (world: World, cards: CardNetwork | undefined, papers: Papers): Sales => ({
  world,
  cards,
  papers,
  numbers: openNumbers(world),
})

/** Sales without documents. */
export const noPapers: Papers = { note: () => Promise.resolve(), list: () => Promise.resolve([]), make: () => Promise.resolve([]) }
