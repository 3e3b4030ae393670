import { lazy, Suspense } from 'react'
import { loadMessages } from '#portal/kit/words.tsx'
import { type AfterSale, PoliciesPage } from '#portal/policies/policies-page.tsx'

const PolicyTickets = lazy(async () => {
  const [{ PolicyTickets }] = await Promise.all([import('#portal/tickets/policy-tickets.tsx'), loadMessages('tickets')])
  return { default: PolicyTickets }
})

const loadDeeds = () => loadMessages('changes')
const MainDeeds = lazy(async () => {
  const [{ MainDeeds }] = await Promise.all([import('#portal/changes/deeds/policy-deeds.tsx'), loadDeeds()])
  return { default: MainDeeds }
})
const EndDeed = lazy(async () => {
  const [{ EndDeed }] = await Promise.all([import('#portal/changes/deeds/policy-deeds.tsx'), loadDeeds()])
  return { default: EndDeed }
})
const DeedsPart = lazy(async () => {
  const [{ DeedsPart }] = await Promise.all([import('#portal/changes/deeds/policy-deeds.tsx'), loadDeeds()])
  return { default: DeedsPart }
})
const VersionsPart = lazy(async () => {
  const [{ VersionsPart }] = await Promise.all([import('#portal/changes/versions/versions-part.tsx'), loadDeeds()])
  return { default: VersionsPart }
})

const Desk = lazy(async () => {
  const [{ Desk }] = await Promise.all([import('#portal/changes/desk.tsx'), loadMessages('changes', 'payments', 'refusal', 'shape')])
  return { default: Desk }
})

// Tickets and changes know policies. Here policies are put together with both.
const tickets = (policyNumber: string, policyUuid: string) => (
  <Suspense>
    <PolicyTickets key={policyUuid} policyNumber={policyNumber} policyUuid={policyUuid} />
  </Suspense>
)
const afterSale: AfterSale = {
  deeds: detail => (
    <Suspense>
      <MainDeeds detail={detail} />
    </Suspense>
  ),
  end: detail => (
    <Suspense>
      <EndDeed detail={detail} />
    </Suspense>
  ),
  part: detail => (
    <Suspense>
      <DeedsPart detail={detail} />
    </Suspense>
  ),
  versions: policyUuid => (
    <Suspense>
      <VersionsPart policyUuid={policyUuid} />
    </Suspense>
  ),
  desk: frame => (
    <Suspense>
      <Desk {...frame} />
    </Suspense>
  ),
}

export const SoldPage = () => <PoliciesPage kind="purchased" tickets={tickets} afterSale={afterSale} />
export const SavedPage = () => <PoliciesPage kind="budgeted" tickets={tickets} />
