import { lazy } from 'react'
import { clientQuote } from '#common/client/quote/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { LinkedPage } from '../linked-page.tsx'

const loadView = () => Promise.all([import('./quotes-view.tsx'), loadMessages('client', 'quoted')])
const QuotesView = lazy(() => loadView().then(([{ QuotesView }]) => ({ default: QuotesView })))

/** The saved quotes of a link, for their client. */
export function MyQuotePage() {
  const { words } = useWords()
  return (
    <LinkedPage
      title={words('link.title')}
      ask={(token, signal) => ask(clientQuote, { token }, { signal })}
      localeOf={({ locale }) => locale}
      loadView={loadView}
      Dead={DeadLink}
    >
      {(page, token, reload) => <QuotesView key={token} token={token} page={page} reload={reload} />}
    </LinkedPage>
  )
}

/** The agency is unknown, as the link is. */
function DeadLink() {
  const { words } = useWords()
  return (
    <SheetPage forClient title={words('link.title')}>
      <output>{words('link.dead')}</output>
    </SheetPage>
  )
}
