import { Link } from '@tanstack/react-router'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button, buttonLook } from '#portal/kit/ui/button.tsx'
import { Icon, iconOf } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import { maxCompared, type Product } from './store.ts'

/** The price from which a product is on sale, for the fewest travellers that it insures. */
export type LeastPrice = { productUUID: string; total: number; currency: string; travellers: number }

type Props = {
  product: Product
  least: LeastPrice | undefined
  /** True while its details are shown, with their own button to sell. */
  open: boolean
  compared: boolean
  isFull: boolean
  onCompare: () => void
  onDetails: () => void
}

/** One product in a row: its least price, the agency's commission, and a link to sell it. */
export function ProductRow({ product, least, open, compared, isFull, onCompare, onDetails }: Props) {
  const { words } = useWords()
  const { money } = useFormat()
  const showsCommission = useShowsCommission()
  const { uuid, name, type, icon, productBuCommission } = product
  const price = least && money(least.total, least.currency)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-3 py-2">
      <Icon name={iconOf(icon)} className="size-5 shrink-0 text-accent-ink" />
      <div className="min-w-0 flex-1 basis-36">
        <h2 className="font-semibold">{name}</h2>
        <p className="text-sm text-quiet">
          {type}
          {showsCommission && productBuCommission !== null && ` · ${words('products.commission', { percent: productBuCommission })}`}
        </p>
      </div>
      {least && price && (
        <p className="font-medium">
          {least.travellers === 1 ? words('products.from', { price }) : words('products.from_many', { price, count: least.travellers })}
        </p>
      )}
      <footer className="flex items-center gap-2 max-sm:w-full">
        <Checkbox
          name="compare"
          label={
            <>
              {words('products.to_compare')} <span className="sr-only">{name}</span>
            </>
          }
          checked={compared}
          onChange={on => {
            if (on && isFull) showToast({ severity: 'info', summary: words('products.compare_most', { most: maxCompared }) })
            else onCompare()
          }}
        />
        <Button look="quiet" onClick={onDetails} aria-label={words('products.details_of', { product: name })} className="ml-auto">
          {words('products.details')}
        </Button>
        <span className={`empty:hidden ${open ? 'invisible' : ''}`}>
          <SellLink uuid={uuid} name={name} />
        </span>
      </footer>
    </li>
  )
}

/** Links to the sale of a product, for users who may sell. */
export function SellLink({ uuid, name }: { uuid: string; name: string }) {
  const { words } = useWords()
  const access = useMay('b2b-access')
  const sells = useMay('b2b-products-sell')
  if (!access || !sells) return null
  return (
    <Link
      to="/funnel"
      search={{ product: uuid }}
      className={buttonLook('quiet')}
      aria-label={words('products.sell_named', { product: name })}
    >
      {words('products.sell')}
    </Link>
  )
}
