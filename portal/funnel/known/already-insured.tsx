import { type ComponentProps, lazy, Suspense } from 'react'

const InsuredNotice = lazy(() => import('./insured-notice.tsx').then(({ InsuredNotice }) => ({ default: InsuredNotice })))

/** The notice about travellers who are already insured. It waits for the service in any case, so it loads apart from the first step. */
export const AlreadyInsured = (props: ComponentProps<typeof InsuredNotice>) => (
  <Suspense>
    <InsuredNotice {...props} />
  </Suspense>
)
