import * as calls from '#common/products/calls.ts'
import * as schemas from '#common/products/schemas.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveAll } from '#server/kit/serve.ts'
import { products } from './products.ts'

export function serveProducts(context: AppContext): void {
  serveAll(context, calls, schemas, {
    products: products(context.world),
  })
}
