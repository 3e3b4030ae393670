import { lazy, Suspense } from 'react'
import { ask } from '#portal/kit/ask.ts'
import { loadMessages } from '#portal/kit/words.tsx'
import { type AfterSale, PoliciesPage } from '#portal/policies/policies-page.tsx'
import { type Parts, partsQuery } from '#portal/policies/detail/policy-drawer.tsx'

const Desk = lazy(async () => {
  const [{ Desk }] = await Promise.all([import('#portal/changes/desk.tsx'), loadMessages('changes', 'payments', 'refusal', 'shape')])
  return { default: Desk }
})

// Joins policies with tickets, changes and the client's links here, as these are above policies.
async function loadTickets(): Promise<Parts> {
  const [{ PolicyTickets }] = await Promise.all([import('#portal/tickets/policy-tickets.tsx'), loadMessages('tickets', 'upload', 'events')])
  return {
    tickets: (policyNumber, policyUuid) => <PolicyTickets key={policyUuid} policyNumber={policyNumber} policyUuid={policyUuid} />,
  }
}

async function loadAfterSale(): Promise<Parts> {
  const [tickets, { EndedPart }, { MovementsPart }, { VersionsPart }] = await Promise.all([
    loadTickets(),
    import('#portal/changes/movements/movements-part.tsx'),
    import('#portal/changes/movements/movements-part.tsx'),
    import('#portal/changes/versions/versions-part.tsx'),
    loadMessages('changes', 'refusal'),
  ])
  return {
    ...tickets,
    ended: detail => <EndedPart detail={detail} />,
    movements: detail => <MovementsPart detail={detail} />,
    versions: policyUuid => <VersionsPart policyUuid={policyUuid} />,
  }
}

async function loadSaved(): Promise<Parts> {
  const [tickets, { LinkPart }, { makeQuoteLink, revokeQuoteLinks }] = await Promise.all([
    loadTickets(),
    import('#portal/policies/detail/link-part.tsx'),
    import('#common/client/quote/calls.ts'),
    loadMessages('share'),
  ])
  const revoke = async (policyUuid: string) => (await ask(revokeQuoteLinks, { policyUuid })).revoked
  return {
    ...tickets,
    link: detail => <LinkPart detail={detail} revoke={revoke} />,
    makeLink: request => ask(makeQuoteLink, request),
  }
}

const afterSale: AfterSale = {
  desk: frame => (
    <Suspense>
      <Desk {...frame} />
    </Suspense>
  ),
}

const soldParts = partsQuery('sold', loadAfterSale)
const savedParts = partsQuery('saved', loadSaved)

export const SoldPage = () => <PoliciesPage kind="purchased" parts={soldParts} afterSale={afterSale} />
export const SavedPage = () => <PoliciesPage kind="budgeted" parts={savedParts} />
