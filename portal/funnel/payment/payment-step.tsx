import type { Product } from '#portal/products/store.ts'
import type { TripForm } from '../store.ts'
import type { PricedBy } from '../trip/rating.ts'

type Props = { product: Product; tariff: PricedBy | undefined; trip: TripForm; onNext?: () => void; onBack: () => void }

export function PaymentStep({ product }: Props) {
  return <p>{product.name}</p>
}
