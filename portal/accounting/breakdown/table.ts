import { useFormat } from '#portal/kit/format.ts'
import { useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import type { Earnings, EarningsParam, Rates } from '../use-accounting.ts'

export const views = ['product', 'agent', 'way', 'month', 'conversion', 'refunds'] as const
export type View = (typeof views)[number]

/** A figure for the screen, and its value for a file; null if there is none. */
type Cell = { text: string; value: number | null }

export type BreakdownTable = {
  /** The URL parameter by which a row filters the list below. */
  filter: EarningsParam
  /** The first heading stands above the names of the rows. */
  heads: string[]
  rows: { key: string; name: string; cells: Cell[] }[]
  /** True if it has amounts, so that its file names their currency. */
  hasAmounts: boolean
  /** True for agents, whose share of the commission has two more columns. */
  hasShares?: boolean
}

/** Returns the name of each view of the earnings. */
export function useViewNames(): Record<View, string> {
  const { words } = useWords()
  return {
    product: words('accounting.by_product'),
    agent: words('accounting.by_agent'),
    way: words('accounting.by_way'),
    month: words('accounting.by_month'),
    conversion: words('accounting.conversion'),
    refunds: words('accounting.refunds'),
  }
}

/** True for the views of months that show ratios, not sums. */
export const isOfRates = (view: View): view is 'conversion' | 'refunds' => view === 'conversion' || view === 'refunds'

export type TableOf = (view: View, earnings: Earnings, rates: Rates | undefined) => BreakdownTable

/** Returns a function that makes the table of a view. Rates that are still loading are shown as dots. */
export function useTables(): TableOf {
  const { words } = useWords()
  const names = useViewNames()
  const monthName = useMonthNames('long')
  const format = useFormat()
  return (view, earnings, rates) => tableOf(view, earnings, rates, { words, names, monthName, ...cellsIn(format, earnings.currency) })
}

type Texts = { words: Words; names: Record<View, string>; monthName: (month: string) => string } & ReturnType<typeof cellsIn>

function tableOf(
  view: View,
  earnings: Earnings,
  rates: Rates | undefined,
  { words, names, monthName, amount, count, cellsOf, shareCells }: Texts,
): BreakdownTable {
  const months = earnings.months.toReversed()
  if (isOfRates(view)) {
    const byMonth = new Map(rates?.months.map(month => [month.name, month]))
    const rows = months.map(({ name }) => ({ key: name, name: monthName(name), cells: cellsOf(view, byMonth.get(name)) }))
    const heads = {
      conversion: [words('accounting.quotes'), words('accounting.sold'), words('accounting.conversion')],
      refunds: [words('accounting.charged'), words('accounting.refunded'), words('accounting.refund_rate')],
    }
    return { filter: 'month', heads: [names.month, ...heads[view]], rows, hasAmounts: view === 'refunds' }
  }
  const { sellers } = earnings
  const hasShares = view === 'agent' && sellers.some(({ share }) => share !== null)
  const shares = new Map(sellers.map(({ uuid, share }) => [uuid, share]))
  const rows = { product: earnings.products, agent: sellers, way: earnings.ways, month: months }[view]
  const nameOf = (name: string) => (view === 'month' ? monthName(name) : view === 'way' ? words('accounting.way', { way: name }) : name)
  return {
    filter: view,
    heads: [
      names[view],
      words('accounting.deeds'),
      words('accounting.gross'),
      words('accounting.earned'),
      ...(hasShares ? [words('accounting.share_percent'), words('accounting.share')] : []),
    ],
    hasShares,
    hasAmounts: true,
    rows: rows.map(({ uuid, name, deeds, gross, earned }) => ({
      key: uuid ?? name,
      name: nameOf(name),
      cells: [count(deeds), amount(gross), amount(earned), ...(hasShares ? shareCells(shares.get(uuid) ?? null, words) : [])],
    })),
  }
}

const waited: Cell = { text: '…', value: null }
const none: Cell = { text: '–', value: null }

function cellsIn({ money, number, share }: ReturnType<typeof useFormat>, currency: string) {
  const amount = (value: number): Cell => ({ text: money(value, currency), value })
  const count = (value: number): Cell => ({ text: number(value), value })
  const rate = (value: number | null): Cell => ({ text: share(value), value })
  const cellsOf = (view: 'conversion' | 'refunds', month: Rates['months'][number] | undefined): Cell[] => {
    if (!month) return [waited, waited, waited]
    return view === 'conversion'
      ? [count(month.quotes), count(month.sold), rate(month.conversion)]
      : [amount(month.charged), amount(month.refunded), rate(month.refundRate)]
  }
  const shareCells = (share: Earnings['sellers'][number]['share'], words: Words): Cell[] => {
    if (!share) return [none, none]
    return [share.percent === null ? { text: words('accounting.share_varies'), value: null } : count(share.percent), amount(share.amount)]
  }
  return { amount, count, cellsOf, shareCells }
}
