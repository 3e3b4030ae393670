import type { RefusalCode } from '#common/kit/refusals.ts'
import type { DocumentFile, PolicyDocuments } from '#server/documents/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { MailSoon } from '#server/mail/public.ts'
import type { CardNetwork, Intent, PaymentRow } from '#server/payments/public.ts'
import { type KnownCatalogues, openKnownCatalogues } from '#server/quotes/public.ts'
import type { Where } from '#server/session/public.ts'
import { type PaymentWithLines, type PolicyRow, type RevisedPolicy, takeNumbers } from '../queries.ts'

/** The reason to settle a payment: a user puts it on the agency's account, or the card network confirms it. `where`: the request, if one asked for it. */
export type Evidence = { where?: Where } & ({ by: 'account'; actor: Actor } | { by: 'card'; actor?: Actor; intent: Intent })
type Actor = { userId: string; name: string }

/** The result of a payment. */
export type Made = { policy: PolicyRow; files: DocumentFile[] }
/** Settled, now or before; or the reason why not. */
export type Settled<M extends Made = Made> = ({ made: true; justNow: boolean } & M) | { made: false; code: RefusalCode }
/** Why money that the card network has taken settles nothing. */
export type Unsettled = 'differs' | 'late' | 'returned'

/** A sale or change that waits for its payment, under the policy's lock. */
export type Waiting<M extends Made = Made> = {
  /** Returns the result of the payment, for a second caller. */
  made(): Promise<M>
  /** True if it can no longer be paid. The payment is then cancelled at the network. */
  isOver(): Promise<boolean>
  whyNotOnAccount(): Promise<RefusalCode | undefined>
  /** True if a payment by card comes too late for it. */
  isLate(): Promise<boolean>
  /** Gives up waiting if the reason asks for it: `lapsed` if the payment was cancelled. */
  leave(why: Unsettled | 'lapsed'): Promise<void>
  /** `numberIndex` gives a sale its policy number. */
  write(evidence: Evidence, numberIndex: number | undefined): Promise<M>
}

/** Finds what waits for a payment. A sale is `numbered`: it takes a policy number. */
export type Waits<M extends Made = Made> = {
  numbered: boolean
  find(sales: Sales, tx: UnitTx, held: { policy: RevisedPolicy; payment: PaymentWithLines }): Promise<Waiting<M> | undefined>
}

/** Dependencies of the sale's handlers. Without a card network there are no card sales. */
export type Sales = {
  world: World
  cards: CardNetwork | undefined
  /** Finds the sale or change that a payment is for. The features of changes register theirs here, because sales must not import them. */
  waits: Record<PaymentRow['purpose'], Waits>
  numbers: Numbers
  documents: PolicyDocuments
  mailSoon: MailSoon
  catalogues: KnownCatalogues
  registered: RegisteredSales
  /** The quotas that a request was charged to, each with the function that gives it back. */
  charged: WeakMap<object, Map<Quota, () => void>>
}

export const policyPurchased = 'policy.purchased'

type Given = Pick<Sales, 'world' | 'cards' | 'documents' | 'mailSoon' | 'waits'>

export const openSales = ({ world, cards, documents, mailSoon, waits }: Given): Sales => ({
  world,
  cards,
  waits,
  documents,
  mailSoon,
  numbers: openNumbers(world),
  catalogues: openKnownCatalogues(world.database),
  registered: openRegistered(),
  charged: new WeakMap(),
})

/** Makes a version's documents in a moment, unless there is a rush of sales, in which all wait for their jobs. Returns true once they are made. */
export const makeInTime = async ({ world, documents }: Sales, ...of: Parameters<PolicyDocuments['makeInTime']>): Promise<boolean> =>
  !world.outbox.isRushed(policyPurchased) && documents.makeInTime(...of)

/** Takes a policy number, and puts it back unless a sale was made just now. Only then is it certain that the number is used. */
export async function usingNumber<T extends Settled | undefined>(
  { numbers }: Sales,
  work: (numberIndex: number) => Promise<T>,
): Promise<T> {
  const numberIndex = await numbers.take()
  const settled = await work(numberIndex)
  if (!settled?.made || !settled.justNow) numbers.putBack(numberIndex)
  return settled
}

type Quota = 'sales' | 'mails'

/** Charges a request to a quota once, whichever way carries it out. */
export async function chargeOnce({ world, charged }: Sales, input: { caller: CallerInUnit }, quota: Quota): Promise<void> {
  const before = charged.get(input) ?? new Map<Quota, () => void>()
  charged.set(input, before)
  if (!before.has(quota)) before.set(quota, await world.spend(input.caller, quota))
}

/** Gives back what a request was charged, as it turned out to be a repeated one. */
export function uncharge({ charged }: Sales, input: object): void {
  for (const each of charged.get(input)?.values() ?? []) each()
  charged.delete(input)
}

/**
 * Hands out policy numbers from memory, so that no sale waits for another to commit. Every agency gets them from the same blocks, as a number
 * is unique for the insurer. A process that ends leaves a gap.
 */
type Numbers = {
  /** Never called within a transaction, as it may open one. */
  take(): Promise<number>
  /** Returns the number of a sale that certainly failed. */
  putBack(index: number): void
}

const blockSize = 100

export function openNumbers({ database }: Pick<World, 'database'>): Numbers {
  const free: number[] = []
  let filling: Promise<void> | undefined

  async function fill(): Promise<void> {
    const first = await database.asService(tx => takeNumbers(tx, blockSize))
    free.push(...Array.from({ length: blockSize }, (_, index) => first + index))
  }

  return {
    async take() {
      for (;;) {
        const index = free.shift()
        if (index !== undefined) return index
        filling ??= fill().finally(() => {
          filling = undefined
        })
        await filling
      }
    },
    putBack: index => void free.unshift(index),
  }
}

/** A policy and its open payment, by which a sale is judged. The statement that settles it compares the revision. */
export type RegisteredSale = { policy: RevisedPolicy; payment: PaymentWithLines }

/** The sales that this node has registered, so that their purchase need not read them. Another node reads them. */
type RegisteredSales = {
  add(sale: RegisteredSale): void
  /** Returns a sale once. Afterwards its facts are outdated, whether it was purchased or not. */
  take(scope: Scope, paymentId: string): RegisteredSale | undefined
}

/** The oldest sales make room for new ones, as some are registered and never bought. */
const most = 500

function openRegistered(): RegisteredSales {
  const sales = new Map<string, RegisteredSale>()
  return {
    add(sale) {
      if (sales.size >= most) sales.delete(sales.keys().next().value ?? '')
      sales.set(sale.payment.id, sale)
    },
    take({ businessUnitId }, paymentId) {
      const sale = sales.get(paymentId)
      if (sale?.policy.business_unit_id !== businessUnitId) return undefined
      sales.delete(paymentId)
      return sale
    },
  }
}
