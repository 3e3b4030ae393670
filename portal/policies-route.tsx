import { type ComponentType, lazy, Suspense } from 'react'
import { loadMessages } from '#portal/kit/words.tsx'
import { type AfterSale, PoliciesPage } from '#portal/policies/policies-page.tsx'

const PolicyTickets = lazy(async () => {
  const [{ PolicyTickets }] = await Promise.all([import('#portal/tickets/policy-tickets.tsx'), loadMessages('tickets')])
  return { default: PolicyTickets }
})

/** Loads a part of the changes with its words, once a policy is open. */
const lazyDeeds = <Props extends object>(pick: (parts: typeof import('#portal/changes/deeds/policy-deeds.tsx')) => ComponentType<Props>) =>
  lazy(async () => {
    const [parts] = await Promise.all([import('#portal/changes/deeds/policy-deeds.tsx'), loadMessages('changes')])
    return { default: pick(parts) }
  })
const MainDeeds = lazyDeeds(({ MainDeeds }) => MainDeeds)
const EndDeed = lazyDeeds(({ EndDeed }) => EndDeed)
const DeedsPart = lazyDeeds(({ DeedsPart }) => DeedsPart)
const VersionsPart = lazyDeeds(({ VersionsPart }) => VersionsPart)

const Desk = lazy(async () => {
  const [{ Desk }] = await Promise.all([import('#portal/changes/desk.tsx'), loadMessages('changes', 'refusal', 'shape')])
  return { default: Desk }
})

// Tickets and changes know policies. Here policies are put together with both.
const tickets = (policyNumber: string, policyUuid: string) => (
  <Suspense>
    <PolicyTickets key={policyUuid} policyNumber={policyNumber} policyUuid={policyUuid} />
  </Suspense>
)
const afterSale: AfterSale = {
  deeds: ({ policyUuid, status }) => (
    <Suspense>
      <MainDeeds policyUuid={policyUuid} status={status} />
    </Suspense>
  ),
  end: ({ policyUuid, status }) => (
    <Suspense>
      <EndDeed policyUuid={policyUuid} status={status} />
    </Suspense>
  ),
  part: ({ policyUuid, status }) => (
    <Suspense>
      <DeedsPart policyUuid={policyUuid} status={status} />
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
