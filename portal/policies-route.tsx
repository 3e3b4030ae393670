import { lazy, Suspense } from 'react'
import { loadMessages } from '#portal/kit/words.tsx'
import { PoliciesPage } from '#portal/policies/policies-page.tsx'

const PolicyTickets = lazy(async () => {
  const [{ PolicyTickets }] = await Promise.all([import('#portal/tickets/policy-tickets.tsx'), loadMessages('tickets')])
  return { default: PolicyTickets }
})

// Tickets know policies. Here policies are put together with their tickets.
const tickets = (policyNumber: string, policyUuid: string) => (
  <Suspense>
    <PolicyTickets key={policyUuid} policyNumber={policyNumber} policyUuid={policyUuid} />
  </Suspense>
)

export const SoldPage = () => <PoliciesPage kind="purchased" tickets={tickets} />
export const SavedPage = () => <PoliciesPage kind="budgeted" tickets={tickets} />
