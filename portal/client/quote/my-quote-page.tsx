import { lazy } from 'react'
import { clientQuote, type ClientQuotes } from '#common/client/quote/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { ClientFrame } from '../frame.tsx'
import { type LinkedKind, LinkedPage } from '../linked-page.tsx'

const loadView = () => Promise.all([import('./quotes-view.tsx'), loadMessages('client', 'quoted')])
const QuotesView = lazy(() => loadView().then(([{ QuotesView }]) => ({ default: QuotesView })))

const kind: LinkedKind<ClientQuotes> = {
  read: (token, signal) => ask(clientQuote, { token }, { signal }),
  localeOf: ({ locale }) => locale,
  loadView,
  Dead: DeadLink,
}

/** The saved quotes of a link, for their client. */
export function MyQuotePage() {
  const { words } = useWords()
  return (
    <LinkedPage title={words('link.title')} kind={kind}>
      {(page, token, reload) => <QuotesView key={token} token={token} page={page} reload={reload} />}
    </LinkedPage>
  )
}

/** The agency is unknown, as the link is. */
function DeadLink() {
  const { words } = useWords()
  return (
    <ClientFrame brand="Portolan" title={words('link.title')}>
      <h1 className="text-[1.6875rem]/8 font-bold">{words('link.title')}</h1>
      <output>{words('link.dead')}</output>
    </ClientFrame>
  )
}
