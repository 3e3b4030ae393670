import { useFormat } from '#portal/kit/format.ts'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { Table } from '#portal/kit/list/table.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { type Bordereau, Check, type Control } from './period.tsx'

type Sum = { source: 'file' | 'statements' | 'book'; rows: number; gross: number; commission: number; equal: boolean }
type Transaction = Control['transactions'][number]

/**
 * The sums of a bordereau beside those of the statements and the money book. They are also shown by transaction and tax. Agencies whose own sums
 * differ show theirs, too.
 */
export function ControlSums({ sums }: { sums: Control }) {
  const { words } = useWords()
  const { money } = useFormat()
  const { currency, transactions, flagged, units } = sums
  return (
    <>
      <ComparedSums caption={words('administration.bordereau_sums', { currency })} sums={sums} currency={currency} />
      {units
        .filter(({ equal }) => !equal)
        .map(unit => {
          const { uuid, brandName } = unit.businessUnit
          const caption = words('administration.bordereau_unit_sums', { agency: brandName, currency })
          return <ComparedSums key={uuid} caption={caption} sums={unit} currency={currency} />
        })}
      <TitledTable<Transaction>
        caption={words('administration.bordereau_by_transaction', { currency })}
        columns={useTransactionColumns(currency)}
        rows={transactions}
        keyOf={({ transaction }) => transaction}
        lines={({ transaction, gross, rows }) => ({
          title: words('administration.bordereau_transaction', { transaction }),
          end: money(gross, currency),
          detail: words('administration.count', { count: rows }),
          state: null,
        })}
      />
      <TitledTable<MakeupLine>
        caption={words('administration.bordereau_makeup', { currency })}
        columns={useMakeupColumns(currency)}
        rows={makeupOf(sums)}
        keyOf={({ item }) => (typeof item === 'string' ? item : item.tax)}
        lines={({ item, amount, kept }) => ({
          title: itemName(item, words),
          end: money(amount, currency),
          detail: kept ? `${words('administration.bordereau_kept')} ${money(kept, currency)}` : '',
          state: null,
        })}
      />
      {flagged > 0 && <p className="text-sm">{words('administration.bordereau_flagged', { count: flagged })}</p>}
    </>
  )
}

type Compared = Pick<Control, 'rows' | 'gross' | 'commission' | 'statements' | 'book' | 'equal'>

function ComparedSums({ caption, sums, currency }: { caption: string; sums: Compared; currency: string }) {
  const { words } = useWords()
  const { money } = useFormat()
  const { rows, gross, commission, statements, book } = sums
  const same = (other: Control['book']) => other.rows === rows && other.gross === gross && other.commission === commission
  const compared: Sum[] = [
    { source: 'file', rows, gross, commission, equal: sums.equal },
    { source: 'statements', ...statements, equal: same(statements) },
    { source: 'book', ...book, equal: same(book) },
  ]
  return (
    <TitledTable<Sum>
      caption={caption}
      columns={useSumColumns(currency)}
      rows={compared}
      keyOf={({ source }) => source}
      lines={each => ({
        title: words('administration.bordereau_source', { source: each.source }),
        end: money(each.gross, currency),
        detail: [
          words('administration.count', { count: each.rows }),
          `${words('administration.bordereau_commission')} ${money(each.commission, currency)}`,
        ].join(' · '),
        state: <Check equal={each.equal} />,
      })}
    />
  )
}

function useAmountColumns(currency: string): Column<{ rows: number; gross: number }>[] {
  const { words } = useWords()
  const { money, number } = useFormat()
  return [
    { key: 'rows', head: words('administration.bordereau_rows'), align: 'end', cell: ({ rows }) => number(rows) },
    { key: 'gross', head: words('administration.bordereau_gross'), align: 'end', cell: ({ gross }) => money(gross, currency) },
  ]
}

function useSumColumns(currency: string): Column<Sum>[] {
  const { words } = useWords()
  const { money } = useFormat()
  return [
    {
      key: 'source',
      head: words('administration.bordereau_source_head'),
      cell: ({ source }) => words('administration.bordereau_source', { source }),
    },
    ...useAmountColumns(currency),
    {
      key: 'commission',
      head: words('administration.bordereau_commission'),
      align: 'end',
      cell: ({ commission }) => money(commission, currency),
    },
    { key: 'check', head: words('administration.bordereau_check'), cell: ({ equal }) => <Check equal={equal} /> },
  ]
}

function useTransactionColumns(currency: string): Column<Transaction>[] {
  const { words } = useWords()
  return [
    {
      key: 'transaction',
      head: words('administration.bordereau_transaction_head'),
      cell: ({ transaction }) => words('administration.bordereau_transaction', { transaction }),
    },
    ...useAmountColumns(currency),
  ]
}

const itemName = (item: MakeupLine['item'], words: Words): string => (typeof item === 'string' ? words(itemNames[item]) : item.tax)

const itemNames = {
  premium: 'administration.bordereau_premium',
  gross: 'administration.bordereau_gross',
  commission: 'administration.bordereau_commission',
  net: 'administration.bordereau_net',
} as const

function useMakeupColumns(currency: string): Column<MakeupLine>[] {
  const { words } = useWords()
  const { money } = useFormat()
  return [
    { key: 'item', head: words('administration.bordereau_item'), cell: ({ item }) => itemName(item, words) },
    { key: 'amount', head: words('administration.bordereau_amount'), align: 'end', cell: ({ amount }) => money(amount, currency) },
    {
      key: 'kept',
      head: words('administration.bordereau_kept'),
      align: 'end',
      cell: ({ kept }) => (kept === null ? '' : money(kept, currency)),
    },
  ]
}

/** A table with its caption as a heading, since one card has several. */
function TitledTable<Row>(table: Parameters<typeof Table<Row>>[0]) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h4 className="text-sm font-semibold">{table.caption}</h4>
      <Table {...table} />
    </section>
  )
}

type Counts = NonNullable<Bordereau['claims']>

/** The counts of a bordereau of claims. It has no amounts, as the insurer settles claims in its own books. */
export function ClaimCounts({ claims: { rows, filed, states } }: { claims: Counts }) {
  const { words } = useWords()
  const { number } = useFormat()
  if (rows === 0) return <p className="text-sm text-quiet">{words('administration.bordereau_claims_none')}</p>
  const stateName = (state: string) => words('administration.bordereau_claim_state', { state })
  return (
    <>
      <TitledTable<Counts['states'][number]>
        caption={words('administration.bordereau_claims')}
        columns={[
          { key: 'state', head: words('administration.state'), cell: ({ state }) => stateName(state) },
          { key: 'rows', head: words('administration.bordereau_rows'), align: 'end', cell: each => number(each.rows) },
        ]}
        rows={states}
        keyOf={({ state }) => state}
        lines={each => ({ title: stateName(each.state), end: number(each.rows), detail: '', state: null })}
      />
      <p className="text-sm">{words('administration.bordereau_claims_filed', { count: filed, rows })}</p>
    </>
  )
}

/** A line of a bordereau's sum. `kept` is the tax that the state keeps and the insurer pays, beside the line's amount. */
type MakeupLine = { item: 'premium' | 'gross' | 'commission' | 'net' | { tax: string }; amount: number; kept: number | null }

/** Returns the net premium and the taxes, which make the gross premium, and the commission. The rest is the insurer's. */
export function makeupOf({ premium, taxes, gross, commission, net }: Control): MakeupLine[] {
  const keptInAll = taxes.reduce((sum, { kept }) => sum + kept, 0)
  return [
    { item: 'premium', amount: premium, kept: null },
    ...taxes.map(({ code, amount, kept }) => ({ item: { tax: code }, amount, kept })),
    { item: 'gross', amount: gross, kept: Number(keptInAll.toFixed(2)) },
    { item: 'commission', amount: -commission, kept: null },
    { item: 'net', amount: net, kept: null },
  ]
}
