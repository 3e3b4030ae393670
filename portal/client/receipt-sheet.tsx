import { useEffect, useRef } from 'react'
import type { ClientPolicy, Receipt } from '#common/client/calls.ts'
import { saveFile } from '#portal/kit/file/save-file.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useClientFormat } from './format.ts'
import { wide } from './frame.tsx'

/** The receipt of a withdrawal, with day and time, on top of the page. */
export function ReceiptSheet({ receipt, policy, isNew }: { receipt: Receipt; policy: ClientPolicy; isNew: boolean }) {
  const { words } = useWords()
  const { day, moment, money } = useClientFormat(policy)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isNew) heading.current?.focus()
  }, [isNew])
  const { refund, confirmTo, receivedAt } = receipt
  return (
    <section className="grid gap-3 rounded-xl border border-success bg-success-soft p-4">
      <h2 ref={heading} tabIndex={-1} className="flex gap-2 text-[1.1875rem]/6.5 font-semibold outline-none">
        <Icon name="check-circle" className="mt-0.5 size-5.5 text-success" />
        {words('client.received')}
      </h2>
      <p className="font-semibold">
        <time dateTime={receivedAt}>{words('client.received_at', moment(receivedAt))}</time>
      </p>
      <p>
        {refund === null
          ? words('client.received_claimed')
          : refund.way === 'none'
            ? words('client.withdraw_nothing')
            : words('client.received_refund', {
                amount: money(refund.amount),
                way: refund.way,
                agency: policy.brand.name,
                by: day(refund.by),
              })}
      </p>
      <p>{words('client.received_sent', { address: confirmTo })}</p>
      <Button
        look="quiet"
        icon="download"
        className={wide}
        onClick={() =>
          saveFile({ name: receipt.receipt.name, content: new Blob([receipt.receipt.text], { type: 'text/plain;charset=utf-8' }) })
        }
      >
        {words('client.receipt_save')}
      </Button>
    </section>
  )
}
