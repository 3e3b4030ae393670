import { lazy, Suspense, useState } from 'react'
import { listAccounts } from '#common/administration/calls.ts'
import { useFormat } from '#portal/kit/format.ts'
import { idIn, oneOf } from '#portal/kit/list/list-params.ts'
import { ListScreen } from '#portal/kit/list/list-screen.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Tabs } from '#portal/kit/ui/tabs.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Filters, UnitFilter } from '../filters.tsx'
import { key, pagingOf, useOpenRecord, useParams } from '../use-records.ts'
import { type Account, AccountState } from './account.tsx'

const AccountPanel = lazy(() => import('./account-panel.tsx').then(({ AccountPanel }) => ({ default: AccountPanel })))
const BankDialog = lazy(() => import('../bank/bank-dialog.tsx').then(({ BankDialog }) => ({ default: BankDialog })))

/** The agencies' accounts with the insurer: balances, credit limits, and overdue amounts. */
function AccountsTab() {
  const { words } = useWords()
  const { money } = useFormat()
  const { params } = useParams()
  const [withBank, setWithBank] = useState(false)
  const unit = idIn(params.unit)
  const list = useList(
    listAccounts,
    { ...pagingOf(params), ...(unit ? { businessUnitUuid: unit } : {}) },
    { key, rows: ({ accounts }) => accounts },
  )
  const { props, panel } = useOpenRecord(list, unitOf)
  const open = list.rows?.find(row => unitOf(row) === params.open)
  return (
    <>
      <ListScreen
        list={list}
        caption={words('administration.accounts')}
        columns={useColumns()}
        {...props}
        empty={{ icon: 'building', title: words('administration.no_units'), hint: words('administration.change_search') }}
        lines={account => ({
          title: account.businessUnit.brandName,
          end: money(account.account, account.currency),
          detail: account.lastStatement?.number ?? words('administration.account_no_statement'),
          state: <AccountState account={account} />,
        })}
        summary={({ count }) => words('administration.count', { count })}
        expected={8}
      >
        <Filters
          first={<UnitFilter />}
          actions={
            <Button look="quiet" icon="upload" onClick={() => setWithBank(true)}>
              {words('bank.button')}
            </Button>
          }
        />
      </ListScreen>
      <Suspense>{withBank && <BankDialog onClose={() => setWithBank(false)} />}</Suspense>
      <Suspense>{open && <AccountPanel account={open} panel={panel} />}</Suspense>
    </>
  )
}

const unitOf = ({ businessUnit }: Account): string => businessUnit.uuid

function useColumns(): Column<Account>[] {
  const { words } = useWords()
  const { money } = useFormat()
  const amount = (value: number | null, currency: string) => (value === null ? '—' : money(value, currency))
  return [
    { key: 'unit', head: words('administration.unit'), cell: ({ businessUnit }) => businessUnit.brandName },
    { key: 'account', head: words('administration.account_balance'), align: 'end', cell: row => amount(row.account, row.currency) },
    {
      key: 'commission',
      head: words('administration.account_commission'),
      align: 'end',
      hide: 48,
      cell: row => amount(row.commission, row.currency),
    },
    {
      key: 'limit',
      head: words('administration.account_limit'),
      align: 'end',
      hide: 48,
      cell: row => amount(row.limit, row.currency),
    },
    {
      key: 'headroom',
      head: words('administration.account_headroom'),
      align: 'end',
      hide: 64,
      cell: row => amount(row.headroom, row.currency),
    },
    { key: 'statement', head: words('administration.account_statement'), hide: 64, cell: row => row.lastStatement?.number ?? '—' },
    { key: 'state', head: words('administration.state'), cell: row => <AccountState account={row} /> },
  ]
}

const Bordereaux = lazy(() => import('../bordereau/bordereaux.tsx').then(({ Bordereaux }) => ({ default: Bordereaux })))

/** The money between the insurer and the agencies: their accounts, and the bordereaux of the closed months. */
export function AccountParts() {
  const { words } = useWords()
  const { params, switchTo } = useParams()
  const part = oneOf(['balances', 'bordereaux'] as const, params.part) ?? 'balances'
  return (
    <Tabs
      label={words('administration.accounts')}
      value={part}
      onChange={part => switchTo({ tab: 'accounts', part })}
      tabs={[
        { id: 'balances', label: words('administration.account_balances') },
        { id: 'bordereaux', label: words('administration.bordereaux') },
      ]}
    >
      {part === 'balances' ? (
        <AccountsTab />
      ) : (
        <Suspense>
          <Bordereaux />
        </Suspense>
      )}
    </Tabs>
  )
}
