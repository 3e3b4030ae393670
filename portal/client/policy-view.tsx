import { lazy, Suspense, useState } from 'react'
import type { ClientPolicy, Receipt } from '#common/client/calls.ts'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { ChangeRequest } from './change-request.tsx'
import { Documents } from './documents.tsx'
import { useClientFormat } from './format.ts'
import { ClientFrame } from './frame.tsx'
import { callTo, Foot, inLanguage, PriceLines, Row, Sheet } from './parts.tsx'
import './print.css'
import { ReceiptSheet } from './receipt-sheet.tsx'
import { HolderOnly, NoWithdrawal, Withdrawal } from './withdrawal.tsx'

/** Loaded with its messages only for clients with an offer. */
const Offer = lazy(async () => {
  const [{ Offer }] = await Promise.all([import('./offer/offer.tsx'), loadMessages('offer', 'payments')])
  return { default: Offer }
})

/** Loaded after the policy with its messages, as few clients look for it first. */
const Help = lazy(async () => {
  const [{ Help }] = await Promise.all([import('./help.tsx'), loadMessages('help')])
  return { default: Help }
})

type Props = { token: string; policy: ClientPolicy; reload: () => void }

/** Shows the emergency number first, but after a withdrawal its receipt. */
export function PolicyView({ token, policy, reload }: Props) {
  const { words } = useWords()
  const [receipt, setReceipt] = useState<Receipt>()
  const { brand, can, cancelling } = policy
  // It stays visible after the answer, with the result.
  const [hasOffer] = useState(policy.offer !== null)
  const shown = receipt ?? policy.withdrawal
  return (
    <ClientFrame brand={brand.name} title={words('client.title')}>
      {shown && <ReceiptSheet receipt={shown} policy={policy} isNew={receipt !== undefined} />}
      <Head policy={policy} />
      {hasOffer && (
        <Suspense>
          <Offer token={token} policy={policy} reload={reload} />
        </Suspense>
      )}
      <div className="grid gap-4 md:grid-cols-2 md:gap-6">
        <div className="grid content-start gap-4">
          <Facts policy={policy} />
          {!policy.offerOnly && <Documents token={token} documents={can.documents} page={policy} />}
        </div>
        <div className="grid content-start gap-4">
          <Price policy={policy} />
          {policy.transfers.length > 0 && <Transfers policy={policy} />}
          {can.change_request && <ChangeRequest token={token} />}
          {can.withdraw && !shown && (
            <Withdrawal
              token={token}
              policy={policy}
              right={can.withdraw}
              onReceived={received => {
                setReceipt(received)
                // The contract ends moments after the receipt, and the page then shows it by itself.
                for (const ms of [0, 1500, 5000, 15_000]) window.setTimeout(reload, ms)
              }}
            />
          )}
          {cancelling && <NoWithdrawal policy={policy} cancelling={cancelling} />}
          {policy.holderOnly && !cancelling && !can.withdraw && (can.change_request || policy.offerOnly) && <HolderOnly />}
        </div>
      </div>
      {!policy.offerOnly && (
        <Suspense>
          <Help policy={policy} />
        </Suspense>
      )}
      <Foot brand={brand} insurer={policy.insurer} />
    </ClientFrame>
  )
}

function Head({ policy }: { policy: ClientPolicy }) {
  const { words } = useWords()
  const { status, startsIn, product } = policy
  const { emergency } = policy.can
  const isGood = status === 'upcoming' || status === 'running'
  return (
    <>
      <header className="grid gap-1">
        <p className="flex items-center gap-2">
          <span aria-hidden="true" className={`size-2 rounded-full ${isGood ? 'bg-success' : 'inset-ring-2 inset-ring-faint'}`} />
          {status === 'upcoming' ? words('client.upcoming', { days: startsIn }) : words(states[status])}
        </p>
        <h1 lang={inLanguage(policy)} className="text-[1.6875rem]/8 font-bold tracking-tight text-balance">
          {product}
        </h1>
      </header>
      {status !== 'withdrawn' && (
        <a
          href={callTo(emergency)}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 rounded-xl bg-accent px-4 py-3.5 text-on-accent"
        >
          <span className="grid">
            <span className="text-[0.9375rem]/5">{words('client.emergency')}</span>
            <strong className="text-[1.3125rem]/7 font-bold">{emergency}</strong>
          </span>
          <Icon name="phone" className="size-6" />
        </a>
      )}
    </>
  )
}

const states = {
  running: 'client.running',
  ended: 'client.ended',
  cancelled: 'client.cancelled',
  withdrawn: 'client.withdrawn',
} as const

function Facts({ policy }: { policy: ClientPolicy }) {
  const { words } = useWords()
  const { period, list, dayTime } = useClientFormat(policy)
  const from = policy.cancellationFrom
  return (
    <Sheet>
      <dl className="grid gap-2">
        <Row label={words('client.valid')}>{period(policy.startDate, policy.endDate)}</Row>
        {from && (
          <Row label={words('client.cancellation')}>
            {words('client.cancellation_from', { from: from === 'each' ? from : dayTime(from) })}
          </Row>
        )}
        {policy.zone ? (
          <Row label={words('client.zone')}>
            <span lang={inLanguage(policy)}>{policy.zone}</span>
          </Row>
        ) : (
          policy.destinations.length > 0 && <Row label={words('client.destination')}>{list(policy.destinations)}</Row>
        )}
        {policy.people.length > 0 && <Row label={words('client.people')}>{list(policy.people)}</Row>}
        <Row label={words('client.number')}>{policy.number}</Row>
      </dl>
    </Sheet>
  )
}

function Price({ policy }: { policy: ClientPolicy }) {
  const { lines, total, currency } = policy.price
  if (total === null || policy.status === 'withdrawn' || policy.status === 'cancelled') return null
  return (
    <Sheet>
      <PriceLines page={policy} price={{ lines, total, currency }} />
    </Sheet>
  )
}

/** Money refunded by bank transfer, as the card did not take it. */
function Transfers({ policy }: { policy: ClientPolicy }) {
  const { words } = useWords()
  const { money, day } = useClientFormat(policy)
  return (
    <Sheet className="grid gap-2">
      {policy.transfers.map(({ amount, on }) => (
        <p key={`${on} ${amount}`}>{words('client.transferred', { amount: money(amount), day: day(on) })}</p>
      ))}
    </Sheet>
  )
}
