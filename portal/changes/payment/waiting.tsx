import type { ReactNode } from 'react'
import { takeBackChange } from '#common/changes/calls.ts'
import { toCents } from '#common/kit/money.ts'
import { ask } from '#portal/kit/ask.ts'
import { shownEnd, useFormat } from '#portal/kit/format.ts'
import { whileLoading } from '#portal/kit/overlay/loading.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { alertError } from '#portal/kit/overlay/report-error.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { type DeskParam, deskOf } from '../desk-params.ts'
import { policiesChanged, type PolicyDetail } from '#portal/policies/policy-query.ts'
import type { Terms } from '../terms.ts'

export type OpenChange = NonNullable<PolicyDetail['openChange']>

/** Shows at a policy that a change waits for payment, with a link to it. If it was offered to the client, it says so. */
export function Waiting({ open, currency }: { open: OpenChange; currency: string }) {
  const { words } = useWords()
  const { show } = useListParams<DeskParam>()
  return (
    <WaitingNote open={open} currency={currency}>
      <div className="mt-2 flex flex-wrap gap-2">
        {open.offeredTo === null && (
          <Button look="quiet" icon="card" onClick={() => show({ desk: deskOf(open) })}>
            {words('changes.pay')}
          </Button>
        )}
        <Button look={open.offeredTo === null ? 'plain' : 'quiet'} onClick={() => void abandon(open, words)}>
          {words(open.offeredTo === null ? 'changes.abandon' : 'changes.take_offer_back')}
        </Button>
      </div>
    </WaitingNote>
  )
}

/** Says until when a change can be paid, and that nothing has changed before. */
export function WaitingNote({ open, currency, children }: { open: OpenChange; currency: string; children?: ReactNode }) {
  const { words } = useWords()
  const { cents } = useFormat()
  const { offeredTo, state } = open
  const until = { amount: cents(toCents(open.difference) ?? 0, currency), at: shownEnd(open.until) }
  const title = offeredTo === null ? words('changes.waits_for_payment', until) : words('changes.waits_for_client', until)
  return (
    <Callout tone="warning" title={title}>
      {offeredTo === null
        ? words('changes.until_paid')
        : words(state === 'offered' ? 'changes.until_answered' : 'changes.until_answered_paying', { email: offeredTo })}
      {children}
    </Callout>
  )
}

type WaitingChange = NonNullable<Terms['openChange']>

/** Abandons a change that is offered or waits for its payment. If it was paid meanwhile, it is made, and a message says so. */
export async function abandon({ changeUuid, offeredTo }: Pick<WaitingChange, 'changeUuid' | 'offeredTo'>, words: Words): Promise<void> {
  try {
    const step = await whileLoading(ask(takeBackChange, { changeUuid }))
    const isMade = step.state === 'done'
    const ended = words(offeredTo === null ? 'changes.abandoned' : 'changes.offer_taken_back')
    showToast({ severity: isMade ? 'warn' : 'success', summary: isMade ? words('changes.paid_before') : ended })
  } catch (error) {
    alertError(error)
  } finally {
    await policiesChanged()
  }
}
