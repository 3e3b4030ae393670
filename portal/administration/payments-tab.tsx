import { useState } from 'react'
import { longestTransferReference } from '#common/accounting/book.ts'
import { listPaymentReviews, settlePaymentReview, transferReviewedRefund } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { BoundText } from '#portal/kit/form/bound.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useFormat } from '#portal/kit/format.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { useList } from '#portal/kit/list/use-list.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { FormDialog } from './form-actions.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { Code, Facts, Raw } from './record.tsx'
import { StateList, useStateAndUnit } from './state-list.tsx'
import { key, reload } from './use-records.ts'

type Review = ResponseOf<typeof listPaymentReviews>['reviews'][number]

const states = ['open', 'settled'] as const
const stateWords = { open: 'administration.review_open', settled: 'administration.review_settled' } as const

/** Payments that a person must review: their amount differs, they are disputed, or their refund failed or is late. */
export function PaymentsTab() {
  const { words } = useWords()
  const { moment, money } = useFormat()
  const { request } = useStateAndUnit(states)
  return (
    <StateList
      list={useList(listPaymentReviews, request, { key, rows: ({ reviews }) => reviews })}
      caption={words('administration.payments')}
      columns={useColumns()}
      states={states.map(value => ({ value, label: words(stateWords[value]) }))}
      empty={{ icon: 'check-circle', title: words('administration.no_reviews'), hint: words('administration.no_reviews_hint') }}
      lines={review => ({
        title: review.productName,
        end: money(review.asked.amount, review.asked.currency),
        detail: `${moment(review.at)} · ${review.businessUnit.brandName}`,
        state: review.received && money(review.received.amount, review.received.currency),
      })}
      renderPanel={(review, panel) => <ReviewPanel review={review} panel={panel} />}
    />
  )
}

function useColumns(): Column<Review>[] {
  const { words } = useWords()
  const { moment, money } = useFormat()
  const sum = (amount: Review['asked'] | null) => (amount ? money(amount.amount, amount.currency) : '—')
  return [
    { key: 'product', head: words('administration.product'), cell: review => review.productName },
    { key: 'unit', head: words('administration.unit'), hide: 48, cell: review => review.businessUnit.brandName },
    { key: 'at', head: words('administration.moment'), cell: review => moment(review.at) },
    { key: 'asked', head: words('administration.requested'), align: 'end', cell: review => sum(review.asked) },
    { key: 'received', head: words('administration.received'), align: 'end', cell: review => sum(review.received) },
  ]
}

const reasons = {
  differs: 'administration.review_differs',
  refund_refused: 'administration.review_refund_refused',
  refund_delayed: 'administration.review_refund_delayed',
  refund_without_way: 'administration.review_refund_without_way',
  refunded_elsewhere: 'administration.review_refunded_elsewhere',
  disputed: 'administration.review_disputed',
} as const

const isKnownReason = (reason: string): reason is keyof typeof reasons => reason in reasons

function ReviewPanel({ review, panel }: { review: Review; panel: PanelOf }) {
  const { words } = useWords()
  const { moment, money } = useFormat()
  const [isResolving, setIsResolving] = useState(false)
  const [isTransferring, setIsTransferring] = useState(false)
  const owed = review.refunds.filter(({ state }) => state === 'refused')
  const [next] = owed
  async function resolve(reason: string) {
    await ask(settlePaymentReview, { uuid: review.uuid, reason })
    await reload()
    showToast({ severity: 'success', summary: words('administration.review_done') })
    panel.onClose()
  }
  async function transfer(refundUuid: string, reference: string) {
    await ask(transferReviewedRefund, { uuid: review.uuid, refundUuid, reference })
    await reload()
    showToast({ severity: 'success', summary: words('administration.transfer_done') })
    panel.onClose()
  }
  return (
    <SidePanel
      {...panel}
      title={review.policyNumber ?? review.productName}
      actions={
        <>
          {next && <Button onClick={() => setIsTransferring(true)}>{words('administration.transfer')}</Button>}
          {review.settledAt === null && (
            <Button icon="check" look={next ? 'quiet' : 'main'} onClick={() => setIsResolving(true)}>
              {words('administration.settle')}
            </Button>
          )}
        </>
      }
    >
      <p className="text-quiet">{isKnownReason(review.reason) ? words(reasons[review.reason]) : review.reason}</p>
      <Facts
        facts={[
          [words('administration.unit'), review.businessUnit.brandName],
          [words('administration.moment'), moment(review.at)],
          [words('administration.requested'), money(review.asked.amount, review.asked.currency)],
          [words('administration.received'), review.received && money(review.received.amount, review.received.currency)],
          [words('administration.reversed'), review.taken && money(review.taken.amount, review.taken.currency)],
          [words('administration.gateway'), review.gateway],
          [words('administration.intent'), review.intent && <Code>{review.intent}</Code>],
          [words('administration.payment'), <Code key="payment">{review.paymentUuid}</Code>],
          [words('administration.policy'), <Code key="policy">{review.policyUuid}</Code>],
          [words('administration.settled_at'), review.settledAt && moment(review.settledAt)],
          [words('administration.settled_by'), review.settledBy?.name],
          [words('administration.resolution'), review.resolution],
          ...owed.map(({ amount, currency }): [string, string] => [words('administration.refund_owed'), money(amount, currency)]),
          ...review.refunds.flatMap(({ amount, currency, reference, transferredAt }): [string, string][] =>
            reference === null || transferredAt === null
              ? []
              : [
                  [
                    words('administration.refund_sent'),
                    words('administration.transfer_of', { amount: money(amount, currency), when: moment(transferredAt), reference }),
                  ],
                ],
          ),
        ]}
      />
      <Raw label={words('administration.audit_details')} value={review.details} />
      {isTransferring && next && (
        <TransferDialog
          amount={money(next.amount, next.currency)}
          onSend={reference => transfer(next.uuid, reference)}
          onClose={() => setIsTransferring(false)}
        />
      )}
      {isResolving && (
        <ReasonDialog
          title={words('administration.settle')}
          description={words('administration.settle_hint')}
          button={words('administration.settle')}
          onSend={resolve}
          onClose={() => setIsResolving(false)}
        />
      )}
    </SidePanel>
  )
}

type Props = { amount: string; onSend: (reference: string) => Promise<void>; onClose: () => void }

/** Records the bank transfer that replaced a refused refund. */
function TransferDialog({ amount, onSend, onClose }: Props) {
  const { words } = useWords()
  const form = useRulesForm({
    defaultValues: { reference: '' },
    rules: ({ reference }) => (reference.trim() === '' ? [{ path: 'reference', rule: 'required', key: 'validation.required' }] : []),
    send: async ({ reference }) => {
      await onSend(reference.trim())
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={words('administration.transfer')}
      description={words('administration.transfer_hint', { amount })}
      button={words('administration.transfer')}
      onClose={onClose}
    >
      <BoundText name="reference" label={words('administration.transfer_reference')} maxLength={longestTransferReference} required />
    </FormDialog>
  )
}
