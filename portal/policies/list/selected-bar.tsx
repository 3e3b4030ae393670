import { type ReactNode, useState } from 'react'
import { toCents } from '#common/kit/money.ts'
import { policyCan } from '#common/policies/states.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useEscape } from '#portal/kit/overlay/escape.ts'
import { Icon, type IconName, Turning } from '#portal/kit/ui/icon.tsx'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import type { Row } from '../list-params.ts'
import { isSendable } from '../price-until.tsx'
import { useSendingSoon } from '../send/sending.ts'

type Props = {
  rows: readonly Row[]
  /** True while a policy is open beside the list, as Escape then closes that first. */
  beside: boolean
  onSend: () => void
  /** The key that sends, if there is one. */
  sendKeys: string | undefined
  onDownload: () => Promise<void>
  onExport: () => Promise<void>
  onDelete: () => void
  onNone: () => void
}

/** The selected rows, their sum, and the actions on them. It floats at the bottom, over the list. */
export function SelectedBar({ rows, beside, onSend, sendKeys, onDownload, onExport, onDelete, onNone }: Props) {
  const { words } = useWords()
  const { cents } = useFormat()
  const maySell = useMay('b2b-products-sell')
  const [first] = rows
  useSendingSoon(first !== undefined)
  useEscape(first && !beside ? onNone : undefined)
  if (!first) return null
  const look = { brief: beside, className: 'max-sm:flex-1' }
  const total = rows.reduce((sum, row) => sum + (toCents(row.total) ?? 0), 0)
  return (
    <>
      <section
        data-selected
        aria-label={words('policies.selected', { count: rows.length })}
        className={`fixed inset-x-0 bottom-4 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-1 rounded-lg bg-ink px-1.5 py-1 text-page shadow-raised transition-opacity duration-150 max-sm:inset-x-4 max-sm:w-auto xl:left-52 starting:opacity-0 ${beside ? 'max-lg:hidden lg:right-140' : ''}`}
      >
        <p role="status" className="flex gap-2 px-2.5 whitespace-nowrap max-sm:flex-1">
          <span className="font-semibold">{words('policies.selected', { count: rows.length })}</span>
          <span>{cents(total, first.currency)}</span>
        </p>
        <span aria-hidden="true" className="w-full md:hidden" />
        {rows.some(isSendable) && (
          <Action icon="mail" onClick={onSend} shortcut={sendKeys} {...look}>
            {words('policies.send')}
          </Action>
        )}
        <Action icon="download" onClick={onDownload} {...look}>
          {words('policies.download_documents')}
        </Action>
        <Action icon="rows" onClick={onExport} {...look}>
          {words('policies.export')}
        </Action>
        {maySell && rows.every(row => policyCan('delete', row)) && (
          <Action icon="trash" onClick={onDelete} {...look}>
            {words('policies.delete')}
          </Action>
        )}
        <Action icon="x" onClick={onNone} keys="Escape" {...look}>
          {words('policies.select_none')}
        </Action>
      </section>
      {/* Lets the page scroll its last rows out from under the bar. */}
      <div aria-hidden="true" className="h-14" />
    </>
  )
}

type ActionProps = {
  icon: IconName
  keys?: string
  shortcut?: string | undefined
  brief: boolean
  className: string
  onClick: () => void | Promise<void>
  children: ReactNode
}

/** A button on the dark bar. In a narrow space it shows only its icon. */
function Action({ icon, keys, shortcut, brief, className, onClick, children }: ActionProps) {
  const [busy, setBusy] = useState(false)
  async function act() {
    if (busy) return
    setBusy(true)
    await onClick()
    setBusy(false)
  }
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      aria-keyshortcuts={shortcut}
      onClick={() => void act()}
      className={`inline-flex min-h-(--control) min-w-(--control) items-center justify-center gap-2 rounded-md px-2.5 font-semibold outline-page! -outline-offset-2 whitespace-nowrap ${className}`}
    >
      {busy ? <Turning /> : <Icon name={icon} />}
      <span className={brief ? 'sr-only' : 'max-xl:sr-only'}>{children}</span>
      {keys && <Keys keys={keys} className="max-xl:hidden" />}
    </button>
  )
}
