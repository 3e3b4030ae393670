import { paidAmount } from '#common/accounting/calculation.ts'
import { accountingStatementFile } from '#common/accounting/calls.ts'
import { statementFormats } from '#common/accounting/statement.ts'
import { useDownload } from '#portal/kit/file/use-download.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { pageIn, useListParams } from '#portal/kit/list/list-params.ts'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { SidePanel, type Step } from '#portal/kit/overlay/side-panel.tsx'
import { useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type EarningsParam, type OpenStatement, type Statement, useStatement } from '../use-accounting.ts'
import { Equations, StatementState, useDue } from './calculation.tsx'
import { StatementLines } from './statement-lines.tsx'

type Props = {
  number: string
  /** The statement's row in the list, shown until the details are loaded. */
  row: Statement | undefined
  /** The list's title, for the drawer as a page of its own. */
  alone?: string
  onStep: Step | undefined
  onAlone?: () => void
  onClose: () => void
}

/** A closed month: who pays whom, how the amount came about, the payments, and its lines. Its URL opens it again. */
export function StatementDrawer({ number, row, ...panel }: Props) {
  const { words } = useWords()
  const monthName = useMonthNames('long')
  const { params, follow } = useListParams<EarningsParam>()
  const { data, error, isPlaceholderData, refetch } = useStatement(number, pageIn({ page: params.lines ?? '' }))
  const statement = data?.statement ?? row
  return (
    <SidePanel
      {...panel}
      of={number}
      title={number}
      state={statement && <StatementState statement={statement} />}
      actions={data && <Downloads number={number} />}
    >
      {statement && <p className="text-quiet first-letter:uppercase">{monthName(statement.month)}</p>}
      {data && (
        <>
          <Equations calculation={data.calculation} currency={data.statement.currency} statement={data.statement} />
          <Payments opened={data} />
          <StatementLines
            opened={data}
            busy={isPlaceholderData}
            onPage={page => follow({ lines: page === 1 ? undefined : String(page) })}
          />
        </>
      )}
      {!data && !error && (
        <Loading className="grid gap-4">
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-60 w-full" />
        </Loading>
      )}
      {!data && error && <LoadError title={words('accounting.statement_failed')} error={error} retry={() => void refetch()} />}
    </SidePanel>
  )
}

/** The files of a statement, behind one button. */
function Downloads({ number }: { number: string }) {
  const { words } = useWords()
  const { busy, download } = useDownload()
  return (
    <Menu
      label={words('accounting.download')}
      align="start"
      items={statementFormats.map(format => ({
        label: words('accounting.download_format', { format }),
        onSelect: () => void download(accountingStatementFile, { number, format }),
      }))}
    >
      {trigger => (
        <Button {...trigger} look="quiet" icon="download" busy={busy !== undefined}>
          {words('accounting.download')} <Icon name="chevron-down" className="size-4" />
        </Button>
      )}
    </Menu>
  )
}

/** Lists the payments in the month and since, and the open rest. */
function Payments({ opened: { statement, payments, open } }: { opened: OpenStatement }) {
  const { words } = useWords()
  const { money, date } = useFormat()
  const due = useDue()
  const isOpen = open.account !== 0 || open.commission !== 0
  const stillOpen = isOpen ? words('accounting.still_open', { amounts: due(open, statement.currency) }) : words('accounting.nothing_open')
  const left = statement.carriedTo === null ? stillOpen : words('accounting.carried_to', { number: statement.carriedTo })
  return (
    <section aria-label={words('accounting.payments')}>
      <h3 className="font-semibold">{words('accounting.payments')}</h3>
      {payments.length === 0 && <p className="py-1 text-quiet">{words('accounting.no_payments')}</p>}
      <ul>
        {payments.map(({ uuid, way, on, reference, reverses, account, commission, since }) => (
          <li key={uuid} className="flex items-baseline gap-3 border-b border-line py-2">
            <div className="min-w-0 flex-1">
              <p>
                {reverses
                  ? words('accounting.payment_reversed', { what: words('accounting.payment_kind', { kind: way }) })
                  : words('accounting.payment_kind', { kind: way })}
              </p>
              <p className="text-sm text-quiet wrap-anywhere">
                {[date(on), reference, words('accounting.payment_when', { when: since ? 'since' : 'during' })].filter(Boolean).join(' · ')}
              </p>
            </div>
            <span className="whitespace-nowrap">{money(paidAmount({ account, commission, reverses }), statement.currency)}</span>
          </li>
        ))}
      </ul>
      <p className="pt-2 font-medium">{left}</p>
    </section>
  )
}
