import { lazy, Suspense, useState } from 'react'
import type { TicketKind } from '#common/products/tickets.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Page } from '#portal/kit/ui/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { DraftCallout } from './draft-callout.tsx'
import { FiledCard } from './form/filed.tsx'
import type { Filed } from './form/ticket-form.tsx'
import { TicketList } from './ticket-list.tsx'
import type { TicketParam } from './use-tickets.ts'
import { loadForm, NewTicket } from './new-ticket.tsx'

const TicketDrawer = lazy(() => import('./detail/ticket-drawer.tsx').then(({ TicketDrawer }) => ({ default: TicketDrawer })))

export const ClaimPage = () => <TicketsPage kind="claim" />
export const CustomerServicePage = () => <TicketsPage kind="request" />

/** Claims, or requests to customer service. The URL decides between the list, one ticket, and a new one. */
function TicketsPage({ kind }: { kind: TicketKind }) {
  const { words } = useWords()
  const { params, filter, show } = useListParams<TicketParam>()
  const [filed, setFiled] = useState<Filed>()
  const isWriting = (params.write ?? params.policy) !== undefined
  const fromTop = { resetScroll: true }
  const write = () => {
    setFiled(undefined)
    show({ write: 'new', ticket: undefined }, fromTop)
  }
  const stopWriting = () => show({ write: undefined, policy: undefined }, fromTop)
  return (
    <Page
      title={words(kind === 'claim' ? 'shell.menu.claims' : 'shell.menu.customer_service')}
      intro={words(kind === 'claim' ? 'tickets.claims_intro' : 'tickets.requests_intro')}
      actions={
        !isWriting && (
          <Button icon="plus" onClick={write} onPointerEnter={() => void loadForm()}>
            {words(kind === 'claim' ? 'tickets.new_claim' : 'tickets.new_request')}
          </Button>
        )
      }
    >
      {filed && !isWriting && <FiledCard filed={filed} onOpen={() => show({ ticket: filed.ticketUuid })} />}
      {isWriting ? (
        <NewTicket
          key={params.policy}
          kind={kind}
          policyUuid={params.policy}
          onResume={() => show({ write: 'new', policy: undefined }, fromTop)}
          onCancel={stopWriting}
          onFiled={filed => {
            setFiled(filed)
            stopWriting()
          }}
        />
      ) : (
        <>
          <DraftCallout kind={kind} onResume={write} />
          <TicketList kind={kind} params={params} onFilter={filter} onOpen={ticket => show({ ticket })} onWrite={write} />
        </>
      )}
      <Suspense>
        {params.ticket && <TicketDrawer key={params.ticket} ticketUuid={params.ticket} onClose={() => show({ ticket: undefined })} />}
      </Suspense>
    </Page>
  )
}
