import type { Scope } from '#server/kit/scope.ts'
import type { PaymentWithLines, RevisedPolicy } from '../queries.ts'

/** A policy and its open payment, by which a sale is judged. The statement that settles it compares the revision. */
export type RegisteredSale = { policy: RevisedPolicy; payment: PaymentWithLines }

/** The sales that this node has registered, so that their purchase need not read them. Another node reads them. */
export type RegisteredSales = {
  add(sale: RegisteredSale): void
  /** Returns a sale once. Afterwards its facts are outdated, whether it was purchased or not. */
  take(scope: Scope, paymentId: string): RegisteredSale | undefined
}

/** The oldest sales make room for new ones, as some are registered and never bought. */
const most = 500

export function openRegistered(): RegisteredSales {
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
