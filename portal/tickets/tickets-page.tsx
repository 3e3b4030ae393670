import { Suspense, useState } from 'react'
import type { TicketKind } from '#common/products/tickets.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Page } from '#portal/kit/page/page.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Filed } from './form/ticket-form.tsx'
import { TicketDrawer, TicketList } from './ticket-list.tsx'
import type { TicketParam } from './use-tickets.ts'
import { DraftCallout, loadForm, NewTicket } from './new-ticket.tsx'

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

/** Confirms a filed ticket: its reference, and the address that gets the email. */
function FiledCard({ filed, onOpen }: { filed: Filed; onOpen: () => void }) {
  const { words } = useWords()
  const copy = () =>
    void navigator.clipboard.writeText(filed.reference).then(() => showToast({ severity: 'success', summary: words('tickets.copied') }))
  return (
    <div role="status">
      <Card>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <span className="grid size-11 place-items-center rounded-full bg-success-soft text-success">
            <Icon name="check-circle" className="size-6" />
          </span>
          <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
            <p className="text-quiet">{words('tickets.filed')}</p>
            <p className="flex items-center gap-1 text-2xl font-semibold tracking-tight" data-reference={filed.reference}>
              {filed.reference}
              <IconButton icon="copy" label={words('tickets.copy')} onClick={copy} />
            </p>
            <p className="text-quiet">{words('tickets.filed_mail', { email: filed.email })}</p>
          </div>
          <Button look="quiet" onClick={onOpen}>
            {words('tickets.see')}
          </Button>
        </div>
      </Card>
    </div>
  )
}
