import { type RefObject, useState } from 'react'
import { accountingEarnings } from '#common/accounting/calls.ts'
import { mostRows } from '#common/accounting/period.ts'
import { ask } from '#portal/kit/ask.ts'
import { saveFile } from '#portal/kit/file/save-file.ts'
import { Menu, type MenuItem } from '#portal/kit/overlay/menu.tsx'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { useMonthNames } from '#portal/kit/page/month-bars.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { currentUnitOf, useSession } from '#portal/session/session.ts'
import type { Earnings } from '../use-accounting.ts'
import type { BreakdownTable } from './table.ts'

type Props = {
  title: string
  tableOf: (earnings: Earnings) => BreakdownTable
  earnings: Earnings
  /** The element that contains the chart, if there is one. */
  picture: RefObject<HTMLDivElement | null> | undefined
}

/** Saves the table as CSV, and the chart beside it as PNG. */
export function SaveMenu({ title, tableOf, earnings, picture }: Props) {
  const { months } = earnings
  const { words, locale } = useWords()
  const monthName = useMonthNames('long')
  const unit = useSession(state => currentUnitOf(state)?.name ?? '')
  const [busy, setBusy] = useState(false)
  const spanned = [...new Set([months[0]?.name ?? '', months.at(-1)?.name ?? ''])]
  const name = [words('shell.menu.earnings'), ...spanned, title].join(' ')
  async function save(make: () => Promise<{ name: string; content: Blob }>) {
    setBusy(true)
    try {
      saveFile(await make())
    } catch (error) {
      alertError(error)
    }
    setBusy(false)
  }
  const saveTable = async () => {
    const currency = { head: words('accounting.currency'), code: earnings.currency }
    return (await import('./files.ts')).tableFile(name, tableOf(await wholeOf(earnings)), locale, currency)
  }
  const saveChart = async () => {
    const chart = picture?.current?.querySelector('svg')
    if (!chart) throw new Error('there is no chart')
    return (await import('./files.ts')).chartFile(name, chart, [unit, spanned.map(monthName).join(' – ')].join(' · '))
  }
  const items: MenuItem[] = [
    { label: words('accounting.save_file', { file: 'table' }), onSelect: () => void save(saveTable) },
    ...(picture ? [{ label: words('accounting.save_file', { file: 'chart' }), onSelect: () => void save(saveChart) }] : []),
  ]
  return (
    <div className="ml-auto flex">
      <Menu label={words('accounting.save')} items={items}>
        {trigger => <IconButton {...trigger} icon="download" label={words('accounting.save')} busy={busy} />}
      </Menu>
    </div>
  )
}

/** The screen shows only the products and agents with the highest commission, a file has all. */
async function wholeOf(earnings: Earnings): Promise<Earnings> {
  const { months, products, sellers, currency } = earnings
  const [from, to] = [months[0]?.name, months.at(-1)?.name]
  if (from === undefined || to === undefined || Math.max(products.length, sellers.length) < mostRows) return earnings
  return ask(accountingEarnings, { from, to, currency, whole: true })
}
