import { closeAccountMonth } from '#common/administration/account-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import type { Words } from '#portal/kit/words.tsx'
import { reload } from '../queries.ts'
import type { Account } from './account.tsx'

/** Closes a month that the service has not closed, after the administrator has confirmed. */
export async function closeMonth({ businessUnit, openMonth }: Account, name: string, words: Words): Promise<void> {
  if (openMonth === null) return
  const isClosed = await showAlert({
    mode: 'confirm',
    title: words('administration.account_close_title', { month: name }),
    description: words('administration.account_close_hint'),
    buttonTitle: words('administration.account_close', { month: name }),
    buttonBehavior: async () => void (await ask(closeAccountMonth, { businessUnitUuid: businessUnit.uuid, month: openMonth })),
  })
  if (isClosed) showToast({ severity: 'success', summary: words('administration.account_closed', { month: name }) })
  await reload()
}
