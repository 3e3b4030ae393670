import { Suspense, useState } from 'react'
import type { TicketKind } from '#common/products/tickets.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Page } from '#portal/kit/page/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { DraftCallout } from './draft-callout.tsx'
import { FiledCard } from './form/filed.tsx'
import type { Filed } from './form/ticket-form.tsx'
import { TicketDrawer, TicketList } from './ticket-list.tsx'
import type { TicketParam } from './use-tickets.ts'
import { loadForm, NewTicket } from './new-ticket.tsx'

export const ClaimPage = () => <TicketsPage kind="claim" />
export const CustomerServicePage = () => <TicketsPage kind="request" />

/** Claims, or requests to customer service. The URL decides between the list, one ticket, and a new one. */
function TicketsPage({ kind }: { kind: TicketKind }) {
  const { words } = useWords()
  const { params, show } = useListParams<TicketParam>()
  const title = words(kind === 'claim' ? 'shell.menu.claims' : 'shell.menu.customer_service')
  if (!params.ticket || params.as !== 'page') return <Tickets kind={kind} title={title} />
  return (
    <Suspense>
      <TicketDrawer
        alone={title}
        ticketUuid={params.ticket}
        row={undefined}
        onStep={undefined}
        onClose={() => show({ ticket: undefined, as: undefined }, fromTop)}
      />
    </Suspense>
  )
}

const fromTop = { resetScroll: true }

function Tickets({ kind, title }: { kind: TicketKind; title: string }) {
  const { words } = useWords()
  const { params, show, follow } = useListParams<TicketParam>()
  const [filed, setFiled] = useState<Filed>()
  const isWriting = (params.write ?? params.policy) !== undefined
  const write = () => {
    setFiled(undefined)
    show({ write: 'new', ticket: undefined }, fromTop)
  }
  const stopWriting = () => show({ write: undefined, policy: undefined, type: undefined }, fromTop)
  return (
    <Page
      title={title}
      actions={
        !isWriting && (
          <Button look="quiet" icon="plus" onClick={write} onPointerEnter={() => void loadForm()}>
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
          typeKey={params.type}
          onResume={() => show({ write: 'new', policy: undefined, type: undefined }, fromTop)}
          onCancel={stopWriting}
          onType={() => params.type && follow({ type: undefined })}
          onFiled={filed => {
            setFiled(filed)
            stopWriting()
          }}
        />
      ) : (
        <>
          <DraftCallout kind={kind} onResume={write} />
          <TicketList kind={kind} title={title} />
        </>
      )}
    </Page>
  )
}
