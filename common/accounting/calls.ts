import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

export const accountingEntries: Call<typeof schemas.accountingEntries> = {
  method: 'POST',
  path: '/api/accounting/entries',
  needs: 'b2b-accounting-view',
}

export const accountingEarnings: Call<typeof schemas.accountingEarnings> = {
  method: 'POST',
  path: '/api/accounting/earnings',
  needs: 'b2b-accounting-view',
}

export const accountingRates: Call<typeof schemas.accountingRates> = {
  method: 'POST',
  path: '/api/accounting/rates',
  needs: 'b2b-accounting-view',
}

export const accountingStatements: Call<typeof schemas.accountingStatements> = {
  method: 'POST',
  path: '/api/accounting/statements',
  needs: 'b2b-accounting-view',
}

export const accountingStatement: Call<typeof schemas.accountingStatement> = {
  method: 'POST',
  path: '/api/accounting/statements/detail',
  needs: 'b2b-accounting-view',
}

export const accountingStatementFile: Call<typeof schemas.accountingStatementFile> = {
  method: 'GET',
  path: '/api/accounting/statements/file',
  needs: 'b2b-accounting-view',
}

export const accountingQuery: Call<typeof schemas.accountingQuery> = {
  method: 'POST',
  path: '/api/accounting/query',
  needs: 'b2b-accounting-view',
  idempotent: true,
}

export const accountingMatch: Call<typeof schemas.accountingMatch> = {
  method: 'POST',
  path: '/api/accounting/match',
  needs: 'b2b-accounting-view',
}
