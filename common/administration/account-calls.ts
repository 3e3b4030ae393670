import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/account.ts'
import type * as bank from './schemas/bank.ts'

const call = callsOf<typeof schemas & typeof bank>()('administration')

export const listAccounts = call<'listAccounts'>('POST', '/api/administration/accounting/list')
export const changeAccountTerms = call<'changeAccountTerms'>('POST', '/api/administration/accounting/limit')
export const bookAccountPayment = call<'bookAccountPayment'>('POST', '/api/administration/accounting/payment')
export const writeOffAccount = call<'writeOffAccount'>('POST', '/api/administration/accounting/write-off')
export const listAccountBookings = call<'listAccountBookings'>('POST', '/api/administration/accounting/bookings')
export const reverseAccountBooking = call<'reverseAccountBooking'>('POST', '/api/administration/accounting/bookings/reverse')
export const readBankFile = call<'readBankFile'>('POST', '/api/administration/accounting/bank')
export const bookBankEntries = call<'bookBankEntries'>('POST', '/api/administration/accounting/bank/book')
export const closeAccountMonth = call<'closeAccountMonth'>('POST', '/api/administration/accounting/close')
