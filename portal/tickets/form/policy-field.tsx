import { useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { policyDetail } from '#common/policies/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import { BoundText } from '#portal/kit/form/bound.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { logOnly } from '#portal/kit/log.ts'
import { useWords } from '#portal/kit/words.tsx'
import { usePolicySearch } from '#portal/policies/use-policy-search.ts'
import { useMay } from '#portal/session/session.ts'

export type PolicyDetail = ResponseOf<typeof policyDetail>

export const loadPolicy = async (policyUuid: string): Promise<PolicyDetail | undefined> =>
  ask(policyDetail, { policyUuid }).catch(logOnly('filling in a policy'))

type Props = {
  required: boolean
  policy: PolicyDetail | undefined
  onPolicy: (policy: PolicyDetail | undefined) => void
}

/** The policy field: searches numbers and names. Users who may not see policies type the number. */
export function PolicyField({ required, policy, onPolicy }: Props) {
  const { words } = useWords()
  const maySee = useMay('b2b-policies-sold-view')
  if (!maySee)
    return (
      <BoundText
        label={words('tickets.policy_number')}
        name="policyNumber"
        required={required}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
      />
    )
  return (
    <div className="grid gap-2">
      <Bound<string> chosen name="policyNumber" label={words('tickets.policy')}>
        {bound => <PolicySearch {...bound} required={required} onPolicy={onPolicy} />}
      </Bound>
      {policy && <PolicyFacts policy={policy} />}
    </div>
  )
}

type SearchProps = Pick<Props, 'required' | 'onPolicy'> & {
  name: string
  value: string
  error: string | undefined
  onChange: (policyNumber: string) => void
  onBlur: () => void
  ref: (element: HTMLElement | null) => void
}

function PolicySearch({ value, onChange, onPolicy, required, ...bound }: SearchProps) {
  const { words } = useWords()
  const { date } = useFormat()
  const [query, setQuery] = useState('')
  const results = usePolicySearch(query).filter(({ policyNumber, status }) => policyNumber !== '' && status !== 'budgeted')
  const options = results.map(({ policyNumber, policyTaker, startDate, endDate }) => ({
    value: policyNumber,
    label: `${policyNumber} · ${policyTaker}`,
    detail: `${date(startDate)} – ${date(endDate)}`,
  }))
  const shownOptions = value !== '' && !options.some(option => option.value === value) ? [{ value, label: value }, ...options] : options
  function choose(number: string | null) {
    onChange(number ?? '')
    const chosen = results.find(({ policyNumber }) => policyNumber === number)
    if (chosen) void loadPolicy(chosen.policyUuid).then(onPolicy)
    else onPolicy(undefined)
  }
  return (
    <Combobox
      {...bound}
      label={words('tickets.policy')}
      hint={words('tickets.policy_hint')}
      required={required}
      placeholder={words('tickets.policy_placeholder')}
      options={shownOptions}
      value={value === '' ? null : value}
      onQuery={setQuery}
      onChange={choose}
    />
  )
}

function PolicyFacts({ policy: { policy } }: { policy: PolicyDetail }) {
  const { words } = useWords()
  const { date } = useFormat()
  const facts = [
    [words('tickets.product'), policy.productName],
    [words('tickets.taker'), policy.policyTaker],
    [words('tickets.cover'), `${date(policy.startDate)} – ${date(policy.endDate)}`],
  ]
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 rounded-md bg-sunken px-3 py-2 text-sm">
      {facts.map(([name, fact]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-quiet">{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  )
}
