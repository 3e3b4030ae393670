import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { clientQuoteDecline, type ClientQuotes } from '#common/client/quote/calls.ts'
import { declineReasons } from '#common/policies/quote-link.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { Decline } from '../decline.tsx'
import { ClientFrame } from '../frame.tsx'
import { focus, Foot } from '../parts.tsx'
import '../print.css'
import { isAnswerable } from './quote.ts'
import { type Answering, QuoteSheet, type Said } from './quote-sheet.tsx'

const DeclineFields = lazy(async () => {
  const [{ DeclineFields }] = await Promise.all([import('./decline-fields.tsx'), loadMessages('answer', 'validation')])
  return { default: DeclineFields }
})

type Props = { token: string; page: ClientQuotes; reload: () => Promise<void> }
type State = 'done' | 'accepted' | 'declined'

/** The quotes of a link. One is answered at a time: completed, then paid or accepted. */
export function QuotesView({ token, page, reload }: Props) {
  const { words } = useWords()
  const navigate = useNavigate()
  const [answering, setAnswering] = useState<Answering>()
  const [said, setSaid] = useState<Said>()
  const [isPaying, setPaying] = useState(false)
  const { brand, insurer, decision, quotes } = page
  /** Reads the quotes again if they have changed since the client read them. Returns false for any other failure. */
  async function readAgain(policyUuid: string, error: unknown): Promise<boolean> {
    const notice = error instanceof Refused ? notices.get(error.failure.error) : undefined
    if (!notice) return false
    await reload()
    // Values typed so far stay while they are still missing.
    setAnswering(last => (last?.step === 'complete' ? last : undefined))
    setSaid({ policyUuid, notice })
    return true
  }
  /** A bought quote is shown as a policy, which the same token opens. */
  async function end(state: State) {
    if (state === 'done') return navigate({ to: '/my-policy', hash: token, replace: true })
    await reload()
    return setAnswering(undefined)
  }
  return (
    <ClientFrame brand={brand.name} title={words('link.title')}>
      <h1 className="text-[1.6875rem]/8 font-bold tracking-tight">{words('quoted.heading', { count: quotes.length })}</h1>
      <Decision page={page} />
      {page.message && (
        <figure className="grid gap-1 border-l-2 border-line py-1 pl-4">
          <figcaption className="text-[0.9375rem]/5.5 text-quiet">{words('quoted.writes', { agency: brand.name })}</figcaption>
          <blockquote className="whitespace-pre-line wrap-anywhere">{page.message}</blockquote>
        </figure>
      )}
      {quotes.map(quote => (
        <QuoteSheet
          key={quote.policyUuid}
          token={token}
          page={page}
          quote={quote}
          answering={answering?.policyUuid === quote.policyUuid ? answering : undefined}
          said={said?.policyUuid === quote.policyUuid ? said : undefined}
          reload={reload}
          onAnswer={step => {
            if (isPaying) return
            setSaid(undefined)
            setAnswering(step && { policyUuid: quote.policyUuid, step })
          }}
          onSaid={setSaid}
          onPaying={setPaying}
          onFailed={error => readAgain(quote.policyUuid, error)}
          onEnd={end}
        />
      ))}
      {decision === null && quotes.some(isAnswerable) && (
        <DeclineAll token={token} agency={brand.name} isPaying={isPaying} reload={reload} onEnd={end} />
      )}
      <Foot brand={brand} insurer={insurer} />
    </ClientFrame>
  )
}

/** The quotes are read again after these refusals. */
const notices: ReadonlyMap<string, Said['notice']> = new Map([
  ['request.conflict', 'quoted.changed'],
  ['request.not_found', 'quoted.changed'],
  ['policy.incomplete', 'quoted.incomplete'],
  ['quote.price_changed', 'quoted.price_changed'],
  ['policy.price_expired', 'quoted.price_ended'],
])

/** The client's answer to the link, which takes the focus when it is given. */
function Decision({ page: { brand, decision, quotes } }: { page: ClientQuotes }) {
  const { words } = useWords()
  const [first] = useState(decision)
  // The accepted quote may be sold, or gone, since.
  const isOver = decision === 'accepted' && !quotes.some(({ state }) => state === 'accepted')
  if (decision === null || decision === 'bought' || isOver) return null
  return (
    <output
      tabIndex={-1}
      ref={decision === first ? undefined : focus}
      className="rounded-xl border border-hair bg-sheet p-4 font-semibold outline-none"
    >
      {decision === 'accepted' ? words('quoted.not_insured') : words('quoted.declined', { agency: brand.name })}
    </output>
  )
}

type DeclineProps = {
  token: string
  agency: string
  isPaying: boolean
  reload: () => Promise<void>
  onEnd: (state: State) => Promise<void>
}

function DeclineAll({ token, agency, isPaying, reload, onEnd }: DeclineProps) {
  const { words } = useWords()
  const { busy, failure, submit } = useSubmit(async values => {
    const reason = declineReasons.find(each => each === values['reason'])
    try {
      const { state } = await ask(clientQuoteDecline, { token, name: values['name'] ?? '', reason })
      await onEnd(state)
    } catch (error) {
      // The quotes are shown as they are now: sold or deleted, there is nothing to decline.
      if (isRefusedAs(error, 'request.conflict')) await reload()
      throw error
    }
  })
  return (
    <>
      <Decline
        label={words('quoted.decline')}
        question={words('quoted.decline_hint', { agency })}
        confirm={words('quoted.decline_confirm')}
        busy={busy}
        disabled={isPaying}
        onDecline={submit}
      >
        <Suspense>
          <DeclineFields errors={failure.fields} />
        </Suspense>
      </Decline>
      <FormError text={failure.message} />
    </>
  )
}
