import type { viewUnit } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { State } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'

export type Unit = ResponseOf<typeof viewUnit>

export function UnitState({ suspended }: { suspended: boolean }) {
  const { words } = useWords()
  return (
    <State tone={suspended ? 'danger' : 'success'}>
      {words(suspended ? 'administration.unit_is_suspended' : 'administration.unit_is_active')}
    </State>
  )
}
