import { type ComponentProps, lazy, Suspense } from 'react'
import { loadMessages } from '#portal/kit/words.tsx'

const InsuredNotice = lazy(async () => {
  const [{ InsuredNotice }] = await Promise.all([import('./insured-notice.tsx'), loadMessages('people')])
  return { default: InsuredNotice }
})

/** The notice about travellers who are already insured. It waits for the service anyway, so it is loaded separately from the first step. */
export const AlreadyInsured = (props: ComponentProps<typeof InsuredNotice>) => (
  <Suspense>
    <InsuredNotice {...props} />
  </Suspense>
)
