import { useState } from 'react'
import { closeAccountMonth } from '#common/administration/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import { showAlert, showToast } from '#portal/kit/overlay/notices.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { reload } from '../use-records.ts'
import { Facts } from '../record.tsx'
import { type Account, AccountState } from './account.tsx'
import { TermsDialog, WriteOffDialog } from './account-dialogs.tsx'
import { Bookings } from './bookings.tsx'
import { PaymentDialog } from './payment-dialog.tsx'

/** An agency's account, and its manual bookings. */
export function AccountPanel({ account, panel }: { account: Account; panel: PanelOf }) {
  const { words } = useWords()
  const { money, moment, date } = useFormat()
  const monthName = useMonthNames('long')
  const [dialog, setDialog] = useState<'payment' | 'terms' | 'write-off'>()
  const { currency, lastStatement } = account
  const amount = (value: number | null) => (value === null ? null : money(value, currency))
  const props = { account, onClose: () => setDialog(undefined) }
  return (
    <SidePanel
      {...panel}
      title={account.businessUnit.brandName}
      actions={
        <>
          <Button icon="plus" onClick={() => setDialog('payment')}>
            {words('administration.account_payment')}
          </Button>
          <Button look="quiet" icon="pencil" onClick={() => setDialog('terms')}>
            {words('administration.account_terms')}
          </Button>
          {account.openMonth !== null && (
            <Button look="quiet" icon="check" onClick={() => void closeMonth(account, monthName(account.openMonth ?? ''), words)}>
              {words('administration.account_close', { month: monthName(account.openMonth) })}
            </Button>
          )}
          <Button look="risk" onClick={() => setDialog('write-off')}>
            {words('administration.account_write_off')}
          </Button>
        </>
      }
    >
      <div>
        <AccountState account={account} />
      </div>
      <Facts
        facts={[
          [words('administration.account_balance'), amount(account.account)],
          [words('administration.account_commission'), amount(account.commission)],
          [words('administration.account_limit'), amount(account.limit) ?? words('administration.account_no_limit')],
          [words('administration.account_headroom'), amount(account.headroom)],
          [words('administration.account_lifted'), account.liftedUntil && moment(account.liftedUntil)],
          [words('administration.account_overdue_since'), account.overdueSince && date(account.overdueSince)],
          [
            words('administration.account_netting'),
            words(account.netted ? 'administration.account_netted' : 'administration.account_not_netted'),
          ],
          [words('administration.account_statement'), lastStatement?.number],
          [words('administration.account_due'), lastStatement && `${money(lastStatement.due, currency)} · ${date(lastStatement.dueOn)}`],
          [words('administration.account_still_open'), lastStatement && amount(lastStatement.open.account)],
        ]}
      />
      <Bookings key={account.businessUnit.uuid} account={account} />
      {dialog === 'payment' && <PaymentDialog {...props} />}
      {dialog === 'terms' && <TermsDialog {...props} />}
      {dialog === 'write-off' && <WriteOffDialog {...props} />}
    </SidePanel>
  )
}

/** Closes a month that the service has not closed, after the administrator has confirmed. */
async function closeMonth({ businessUnit, openMonth }: Account, name: string, words: Words): Promise<void> {
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
