import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const calls = callsOf<typeof schemas>()
const member = calls('unit')
const sell = calls('b2b-products-sell')
const view = calls('b2b-products-view')

export const askQuote = sell<'askQuote'>('POST', '/api/quotes')
export const compareQuotes = sell<'compareQuotes'>('POST', '/api/quotes/compare')
export const findQuote = sell<'findQuote'>('GET', '/api/quotes/{quoteUUID}')
export const leastPrices = member<'leastPrices'>('GET', '/api/quotes/least')
export const checkDestinationCoverage = view<'checkDestinationCoverage'>('POST', '/api/products/check-destination-coverage')
export const tariff = view<'tariff'>('POST', '/api/quotes/tariff')
