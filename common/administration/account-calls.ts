import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/account.ts'
import type * as bank from './schemas/bank.ts'

export const listAccounts: Call<typeof schemas.listAccounts, 'administration'> = {
  method: 'POST',
  path: '/api/administration/accounting/list',
  needs: 'administration',
}

export const changeAccountTerms: Call<typeof schemas.changeAccountTerms, 'administration'> = {
  method: 'POST',
  path: '/api/administration/accounting/limit',
  needs: 'administration',
}

export const bookAccountPayment: Call<typeof schemas.bookAccountPayment, 'administration'> = {
  method: 'POST',
  path: '/api/administration/accounting/payment',
  needs: 'administration',
}

export const writeOffAccount: Call<typeof schemas.writeOffAccount, 'administration'> = {
  method: 'POST',
  path: '/api/administration/accounting/write-off',
  needs: 'administration',
}

export const listAccountBookings: Call<typeof schemas.listAccountBookings, 'administration'> = {
  method: 'POST',
  path: '/api/administration/accounting/bookings',
  needs: 'administration',
}

export const reverseAccountBooking: Call<typeof schemas.reverseAccountBooking, 'administration'> = {
  method: 'POST',
  path: '/api/administration/accounting/bookings/reverse',
  needs: 'administration',
}

export const readBankFile: Call<typeof bank.readBankFile, 'administration'> = {
  method: 'POST',
  path: '/api/administration/accounting/bank',
  needs: 'administration',
}

export const bookBankEntries: Call<typeof bank.bookBankEntries, 'administration'> = {
  method: 'POST',
  path: '/api/administration/accounting/bank/book',
  needs: 'administration',
}

export const closeAccountMonth: Call<typeof schemas.closeAccountMonth, 'administration'> = {
  method: 'POST',
  path: '/api/administration/accounting/close',
  needs: 'administration',
}
