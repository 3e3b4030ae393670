import { Select } from '#portal/kit/field/select.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type Product, useProducts } from '#portal/products/store.ts'

/** Chooses the product. The trip keeps its values. */
export function ProductField({ product, onChange }: { product: Product; onChange: (uuid: string) => void }) {
  const { words } = useWords()
  const products = useProducts(({ products }) => products)
  return (
    <Select
      label={words('funnel.product')}
      name="productUUID"
      required
      value={product.uuid}
      onChange={onChange}
      hint={product.description}
      options={products.map(({ uuid, name }) => ({ value: uuid, label: name }))}
    />
  )
}
