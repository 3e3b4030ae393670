import type { ResponseOf } from '#common/kit/call.ts'
import type { products as productsCall } from '#common/products/calls.ts'
import { openStore } from '#portal/kit/stores.ts'

export type Product = ResponseOf<typeof productsCall>[number]

/** The products of the unit: loaded before the first page is shown, and kept across reloads (spec 4). */
export const useProducts = openStore<{ products: Product[] }>('products', { products: [] })

/** The maximum number of products that fit side by side. */
export const maxCompared = 4

export const productOf = (uuid: string | undefined): Product | undefined =>
  useProducts.getState().products.find(product => product.uuid === uuid)

type Named = { productUuid: string; productName: string }

/**
 * Returns a function that names a product in the reader's language. Policies store the name at their sale, in the client's language; it is used if
 * the unit no longer sells the product.
 */
export function useProductName(): (of: Named) => string {
  const products = useProducts(({ products }) => products)
  return ({ productUuid, productName }) => products.find(({ uuid }) => uuid === productUuid)?.name ?? productName
}
