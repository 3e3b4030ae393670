import { flushSync } from 'react-dom'
import { Select } from '#portal/kit/field/select.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type Product, useProducts } from '#portal/products/store.ts'

/** Chooses the product. The trip keeps its values. */
export function ProductField({ product, onChange }: { product: Product; onChange: (uuid: string) => void }) {
  const { words } = useWords()
  const products = useProducts(({ products }) => products)
  /** Another product has another form, whose field takes the focus. */
  function choose(uuid: string) {
    flushSync(() => onChange(uuid))
    document.querySelector<HTMLElement>('main [name=productUUID]')?.focus()
  }
  return (
    <Select
      label={words('funnel.product')}
      name="productUUID"
      required
      value={product.uuid}
      onChange={choose}
      hint={product.description}
      options={products.map(({ uuid, name }) => ({ value: uuid, label: name }))}
    />
  )
}
