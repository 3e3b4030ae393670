import { accountingStatementFile } from '#common/accounting/calls.ts'
import { statementFormats } from '#common/accounting/statement.ts'
import { useDownload } from '#portal/kit/file/use-download.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { pageIn, useListParams } from '#portal/kit/list/list-params.ts'
import { Menu } from '#portal/kit/overlay/menu.tsx'
import { SidePanel, type Step } from '#portal/kit/overlay/side-panel.tsx'
import { useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type EarningsParam, type Statement, useStatement } from '../use-accounting.ts'
import { Equations } from './calculation.tsx'
import { StatementState } from './due.tsx'
import { StatementLines } from './statement-lines.tsx'
import { Payments } from './payments.tsx'

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
