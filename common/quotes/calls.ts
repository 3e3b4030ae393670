import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

export const askQuote: Call<typeof schemas.askQuote> = {
  method: 'POST',
  path: '/api/quotes',
  needs: 'b2b-products-sell',
}

export const compareQuotes: Call<typeof schemas.compareQuotes> = {
  method: 'POST',
  path: '/api/quotes/compare',
  needs: 'b2b-products-sell',
}

export const findQuote: Call<typeof schemas.findQuote> = {
  method: 'GET',
  path: '/api/quotes/{quoteUUID}',
  needs: 'b2b-products-sell',
}

export const checkDestinationCoverage: Call<typeof schemas.checkDestinationCoverage> = {
  method: 'POST',
  path: '/api/products/check-destination-coverage',
  needs: 'b2b-products-view',
}

export const tariff: Call<typeof schemas.tariff> = {
  method: 'POST',
  path: '/api/quotes/tariff',
  needs: 'b2b-products-view',
}
