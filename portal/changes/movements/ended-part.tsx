import { useFormat } from '#portal/kit/format.ts'
import { Properties, Property } from '#portal/kit/page/properties.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import { basisIn } from '../labels.ts'
import { reasonIn } from '../versions/step.tsx'

/** When and why a policy was cancelled. The refund stands above. */
export function EndedPart({ detail: { ended } }: { detail: PolicyDetail }) {
  const { words } = useWords()
  const { moment } = useFormat()
  if (!ended) return null
  const { kind, at, basis, note } = ended
  return (
    <Properties>
      <Property name={words(kind === 'withdrawal' ? 'policies.event_withdrawal_received' : 'policies.event_cancelled')}>
        {moment(at)}
      </Property>
      <Property name={words('changes.why')}>
        {[reasonIn(ended, words), basis && words(basisIn(basis)), note].filter(Boolean).join(' · ')}
      </Property>
    </Properties>
  )
}
