import type { listBordereaux } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

export type Period = ResponseOf<typeof listBordereaux>['periods'][number]
export type Bordereau = Period['bordereaux'][number]
export type Control = NonNullable<Bordereau['sums']>[number]

/** The names of the kinds of bordereaux. */
export const kindNames = { premium: 'administration.bordereau_kind_premium', claims: 'administration.bordereau_kind_claims' } as const

const tones = { open: 'neutral', preparing: 'info', failed: 'danger', prepared: 'warning', released: 'success' } as const

export function BordereauState({ state }: { state: Period['state'] }) {
  const { words } = useWords()
  return <State tone={tones[state]}>{words('administration.bordereau_state', { state })}</State>
}

/** Shows whether control sums are equal. */
export function Check({ equal }: { equal: boolean }) {
  const { words } = useWords()
  return (
    <State tone={equal ? 'success' : 'danger'}>
      {words(equal ? 'administration.bordereau_equal' : 'administration.bordereau_differs')}
    </State>
  )
}
