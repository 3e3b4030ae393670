import { useRef, useState } from 'react'
import { useProductName } from '#portal/products/store.ts'
import { policyDetail } from '#common/policies/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import type { FieldMessage } from '#portal/kit/field/field.tsx'
import { Bound } from '#portal/kit/form/rules-form.tsx'
import { BoundText } from '#portal/kit/form/bound.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { logOnly } from '#portal/kit/log.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import { usePolicySearch } from '#portal/policies/use-policy-search.ts'
import { useMay } from '#portal/session/session.ts'

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
        {bound => <PolicySearch {...bound} required={required} taker={policy?.policy.policyTaker} onPolicy={onPolicy} />}
      </Bound>
      {policy && <PolicyFacts policy={policy} />}
    </div>
  )
}

type SearchProps = Pick<Props, 'required' | 'onPolicy'> & {
  name: string
  value: string
  /** The policyholder of the chosen policy, once it is loaded. */
  taker: string | undefined
  error: FieldMessage | undefined
  onChange: (policyNumber: string) => void
  onBlur: () => void
  ref: (element: HTMLElement | null) => void
}

function PolicySearch({ value, taker, onChange, onPolicy, required, ...bound }: SearchProps) {
  const { words } = useWords()
  const { date } = useFormat()
  const [query, setQuery] = useState('')
  const latest = useRef<string | null>(null)
  const { rows, state } = usePolicySearch(query)
  const results = rows.filter(({ policyNumber, status }) => policyNumber !== '' && status !== 'budgeted')
  const options = results.map(({ policyNumber, policyTaker, startDate, endDate, status }) => ({
    value: policyNumber,
    label: `${policyNumber} · ${policyTaker}`,
    detail: [`${date(startDate)} – ${date(endDate)}`, ...(status === 'cancelled' ? [words('policies.status_cancelled')] : [])].join(' · '),
  }))
  // A search for another policy does not list the chosen one.
  const isListed = value === '' || query !== '' || options.some(option => option.value === value)
  function choose(number: string | null) {
    latest.current = number
    onChange(number ?? '')
    // At once, so that no value of the previous policy can be sent with this one.
    onPolicy(undefined)
    const chosen = results.find(({ policyNumber }) => policyNumber === number)
    if (chosen) void loadPolicy(chosen.policyUuid).then(detail => latest.current === number && onPolicy(detail))
  }
  return (
    <Combobox
      {...bound}
      label={words('tickets.policy')}
      hint={words('tickets.policy_hint')}
      required={required}
      placeholder={words('tickets.policy_placeholder')}
      options={isListed ? options : [{ value, label: [value, taker].filter(Boolean).join(' · ') }, ...options]}
      value={value === '' ? null : value}
      loading={state === 'searching'}
      failed={state === 'failed'}
      lack={() => (state === 'short' ? words('tickets.policy_placeholder') : undefined)}
      onQuery={setQuery}
      onChange={choose}
    />
  )
}

function PolicyFacts({ policy: { policy } }: { policy: PolicyDetail }) {
  const productName = useProductName()
  const { words } = useWords()
  const { date } = useFormat()
  const facts = [
    [words('tickets.product'), productName(policy)],
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
