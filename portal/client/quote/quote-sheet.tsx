import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useId, useState } from 'react'
import type { ClientQuotes } from '#common/client/quote/calls.ts'
import type { QuoteState } from '#common/policies/quote-link.ts'
import { buttonLook, Button } from '#portal/kit/ui/button.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { Documents } from '../documents.tsx'
import { useClientFormat } from '../format.ts'
import { wide } from '../frame.tsx'
import { focus, Part, PriceLines, Reach, Row, Sheet } from '../parts.tsx'
import { type ClientQuote, isAnswerable, nameOf } from './quote.ts'

/** Both are loaded when a client answers, with their messages. */
const Complete = lazy(async () => {
  const [{ Complete }] = await Promise.all([import('./complete.tsx'), loadMessages('answer', 'validation')])
  return { default: Complete }
})
const Pay = lazy(async () => {
  const [{ Pay }] = await Promise.all([import('./pay.tsx'), loadMessages('answer', 'payments', 'validation')])
  return { default: Pay }
})

export type Answering = { policyUuid: string; step: 'complete' | 'pay' }
/** A message about a quote: the price before and after its completion, or why it was read again. */
export type Said = { policyUuid: string } & (
  | { before: number; notice?: never }
  | { notice: 'quoted.changed' | 'quoted.incomplete' | 'quoted.price_changed' | 'quoted.price_ended' }
)

type Props = {
  token: string
  page: ClientQuotes
  quote: ClientQuote
  answering: Answering | undefined
  said: Said | undefined
  reload: () => Promise<void>
  onAnswer: (step: Answering['step'] | undefined) => void
  onSaid: (said: Said) => void
  onPaying: (paying: boolean) => void
  /** Resolves to true if the quotes were read again. */
  onFailed: (error: unknown) => Promise<boolean>
  onEnd: (state: 'done' | 'accepted' | 'declined') => Promise<void>
}

/** A quote: its price, and the restrictions of the cover before the cover. */
export function QuoteSheet(props: Props) {
  const { words } = useWords()
  const { token, page, quote } = props
  const { state, product } = quote
  const id = useId()
  return (
    <article aria-labelledby={id}>
      <Sheet className="grid gap-5">
        <header className="grid gap-1">
          {state !== 'open' && (
            <p className="flex items-center gap-2">
              <span
                aria-hidden="true"
                className={`size-2 rounded-full ${goodStates.has(state) ? 'bg-success' : 'inset-ring-2 inset-ring-faint'}`}
              />
              {words(states[state])}
            </p>
          )}
          <h2 id={id} className="text-[1.3125rem]/7 font-bold tracking-tight text-balance">
            {product}
          </h2>
        </header>
        <div className="grid gap-5 md:grid-cols-2 md:gap-6">
          <div className="grid content-start gap-5">
            <Facts page={page} quote={quote} />
            <Travellers quote={quote} />
          </div>
          <Price page={page} quote={quote} />
          <div className="grid content-start gap-5">
            <Restrictions quote={quote} />
            <Covers page={page} quote={quote} />
          </div>
          <Documents token={token} documents={quote.files} page={page} level={3} />
        </div>
        <Answer {...props} />
      </Sheet>
    </article>
  )
}

/** A quote without a cover has no name for it, but another quote of the link has. */
const nameIn = ({ quotes }: ClientQuotes, group: string): string | undefined =>
  quotes.flatMap(({ covers }) => covers.flatMap(cover => (cover.group === group && cover.name ? [cover.name] : [])))[0]

const goodStates: ReadonlySet<QuoteState> = new Set(['bought', 'accepted', 'paying'])

const states = {
  paying: 'quoted.paying',
  bought: 'quoted.bought',
  accepted: 'quoted.accepted',
  taken_out: 'quoted.taken_out',
  other_quote: 'quoted.other_quote',
  expired: 'quoted.expired',
  gone: 'quoted.gone',
} as const satisfies Record<Exclude<QuoteState, 'open'>, string>

function Facts({ page, quote }: Pick<Props, 'page' | 'quote'>) {
  const { words } = useWords()
  const { period, list } = useClientFormat({ ...page, price: quote.price })
  const { startDate, endDate, zone, destinations } = quote
  return (
    <dl className="grid gap-2">
      <Row label={words('client.valid')}>{period(startDate, endDate)}</Row>
      {zone ? (
        <Row label={words('client.zone')}>{zone}</Row>
      ) : (
        destinations.length > 0 && <Row label={words('client.destination')}>{list(destinations)}</Row>
      )}
    </dl>
  )
}

function Price({ page, quote }: Pick<Props, 'page' | 'quote'>) {
  const { words } = useWords()
  const { endedDay, moment } = useClientFormat({ ...page, price: quote.price })
  const until = moment(quote.until)
  const lastDay = endedDay(quote.until)
  return (
    <div className="grid content-start gap-2 rounded-md bg-sunken px-3 py-3">
      <h3 className="text-[0.9375rem]/5.5 text-quiet">{words('quoted.price')}</h3>
      <PriceLines page={page} price={quote.price} />
      {quote.differences.length > 0 && (
        <>
          <h3 className="mt-2 text-[0.9375rem]/5.5 text-quiet">{words('quoted.differs')}</h3>
          <dl className="grid gap-2">
            {quote.differences.map(({ what, was, is }) => (
              <div key={`${what} ${was} ${is}`}>
                <dt>{what}</dt>
                <dd className="font-semibold">{`${was} → ${is}`}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {quote.provisional && <p>{words('quoted.provisional')}</p>}
      {page.decision === null && isAnswerable(quote) && (
        <p>{lastDay ? words('quoted.until_day', { date: lastDay }) : words('quoted.until', { date: until.date, time: until.short })}</p>
      )}
    </div>
  )
}

function Travellers({ quote: { travellers } }: Pick<Props, 'quote'>) {
  const { words } = useWords()
  if (travellers.length === 0) return null
  return (
    <Part title={words('quoted.travellers')} level={3}>
      <ul className="grid gap-1">
        {travellers.map(({ position, birthYear, ...traveller }) => (
          <li key={position} className="flex flex-wrap gap-x-2">
            {nameOf({ position, ...traveller }, words)}
            {birthYear !== null && <span className="text-quiet">{words('quoted.born', { year: `${birthYear}` })}</span>}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Restrictions({ quote: { restrictions } }: Pick<Props, 'quote'>) {
  const { words } = useWords()
  if (restrictions.length === 0) return null
  return (
    <Part title={words('quoted.restrictions')} level={3}>
      <ul className="grid list-disc gap-1 pl-5">
        {restrictions.map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Part>
  )
}

function Covers({ page, quote: { covers } }: Pick<Props, 'page' | 'quote'>) {
  const { words } = useWords()
  if (covers.length === 0) return null
  return (
    <Part title={words('quoted.covers')} level={3}>
      <dl className="grid gap-2">
        {covers.map(({ group, name, value }) => (
          <div key={group} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4">
            <dt>{name || nameIn(page, group)}</dt>
            <dd className={value === null ? 'text-quiet' : 'font-semibold'}>{value ?? words('quoted.not_covered')}</dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}

/** The client's answer: what is missing is completed first, and the price is shown as it was and is before any button. */
function Answer({ token, page, quote, answering, said, reload, onAnswer, onSaid, onPaying, onFailed, onEnd }: Props) {
  const { words } = useWords()
  const { money } = useClientFormat({ ...page, price: quote.price })
  const [isBack, setIsBack] = useState(false)
  const { policyUuid, state, travellers, price } = quote
  function back() {
    setIsBack(true)
    onAnswer(undefined)
  }
  const missing = travellers.reduce((sum, traveller) => sum + traveller.missing.length, 0)
  const next = missing > 0 ? 'complete' : 'pay'
  if (page.decision !== null || !isAnswerable(quote))
    return (
      <>
        <Notice said={said} quote={quote} page={page} />
        {state === 'expired' && page.decision === null && (
          <div>
            <p>{words('quoted.ask_price', { agency: page.brand.name })}</p>
            <Reach brand={page.brand} />
          </div>
        )}
        {state === 'bought' && (
          <Link to="/my-policy" hash={token} className={`${buttonLook()} ${wide}`}>
            {words('quoted.policy')}
          </Link>
        )}
      </>
    )
  if (quote.agencyCompletes)
    return (
      <>
        <Notice said={said} quote={quote} page={page} />
        <p className="font-semibold">{words('quoted.incomplete')}</p>
      </>
    )
  return (
    <>
      <Notice said={said} quote={quote} page={page} />
      {answering?.step === 'complete' && missing > 0 && (
        <Suspense>
          <Complete
            token={token}
            quote={quote}
            onBack={back}
            onFailed={onFailed}
            onCompleted={async (before, isWhole) => {
              await reload()
              if (!isWhole) return
              onAnswer(undefined)
              onSaid({ policyUuid, before })
            }}
          />
        </Suspense>
      )}
      {answering?.step === 'pay' && missing === 0 && (
        <Suspense>
          <Pay token={token} page={page} quote={quote} onBack={back} onPaying={onPaying} onFailed={onFailed} onEnd={onEnd} />
        </Suspense>
      )}
      {answering?.step !== next && (
        <Button
          {...(isBack && { ref: focus })}
          className={wide}
          onClick={() => {
            setIsBack(false)
            onAnswer(next)
          }}
        >
          {missing > 0
            ? words('quoted.complete', { count: missing })
            : page.cards
              ? words('quoted.pay', { amount: money(price.total) })
              : words('quoted.accept')}
        </Button>
      )}
    </>
  )
}

/** Says what has changed. It takes the focus, as the form that had it is gone. */
function Notice({ said, quote, page }: Pick<Props, 'said' | 'quote' | 'page'>) {
  const { words } = useWords()
  const { money } = useClientFormat({ ...page, price: quote.price })
  if (!said) return null
  const total = money(quote.price.total)
  const text = said.notice
    ? words(said.notice)
    : said.before === quote.price.total
      ? words('quoted.completed', { total })
      : words('quoted.repriced', { before: money(said.before), total })
  return (
    <p ref={focus} tabIndex={-1} className="rounded-md bg-warning-soft px-3 py-2 font-semibold outline-none">
      {text}
    </p>
  )
}
