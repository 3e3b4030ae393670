import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const call = callsOf<typeof schemas>()('b2b-accounting-view')

export const accountingEntries = call<'accountingEntries'>('POST', '/api/accounting/entries')
export const accountingEarnings = call<'accountingEarnings'>('POST', '/api/accounting/earnings')
export const accountingRates = call<'accountingRates'>('POST', '/api/accounting/rates')
export const accountingStatements = call<'accountingStatements'>('POST', '/api/accounting/statements')
export const accountingStatement = call<'accountingStatement'>('POST', '/api/accounting/statements/detail')
export const accountingStatementFile = call<'accountingStatementFile'>('GET', '/api/accounting/statements/file')
export const accountingQuery = call<'accountingQuery'>('POST', '/api/accounting/query', { idempotent: true })
export const accountingMatch = call<'accountingMatch'>('POST', '/api/accounting/match')
