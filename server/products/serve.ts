import * as calls from '#common/products/calls.ts'
import * as schemas from '#common/products/schemas.ts'
import type { Front } from '#server/kit/front.ts'
import { serve } from '#server/kit/serve.ts'
import { products } from './products.ts'

export function serveProducts(front: Front): void {
  serve(front, calls.products, schemas.products, products(front.world))
}
