import { useQuery } from '@tanstack/react-query'
import { policyVersions } from '#common/changes/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { toCents } from '#common/kit/money.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat, useSigned } from '#portal/kit/format.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { Properties, Property } from '#portal/kit/page/properties.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { basisIn, labelIn, reasonLabels, stepLabels } from '../labels.ts'

export type PolicyVersion = ResponseOf<typeof policyVersions>[number]

/** The versions of a policy, the sale's first. */
export const useVersions = (policyUuid: string, enabled = true) =>
  useQuery({
    queryKey: ['policies', 'versions', policyUuid],
    queryFn: ({ signal }) => ask(policyVersions, { policyUuid }, { signal }),
    enabled,
  })

/** The documents made by the step to a version. One that is no longer valid is marked, also in the document. */
export function VersionFiles({ files }: Pick<PolicyVersion, 'files'>) {
  const { words } = useWords()
  if (files.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-4 text-sm">
      {files.map(({ uuid, file, label, replaced }) => (
        <li key={uuid} className="flex min-h-(--control) items-center gap-1.5">
          <a href={file} target="_blank" rel="noreferrer" className="underline underline-offset-4">
            {label}
          </a>
          {replaced && <span className="text-quiet">({words('changes.document_replaced')})</span>}
        </li>
      ))}
    </ul>
  )
}

type Props = { version: PolicyVersion; currency: string }

/** The step that led to a version: its author and reason, and the money that it moved. */
export function Step({ version, currency }: Props) {
  const { words } = useWords()
  const { moment, money } = useFormat()
  const { kind, at, who, basis, note, kept } = version
  return (
    <Properties>
      <Property name={words('changes.step')}>{words(stepLabels[kind])}</Property>
      <Property name={words('changes.made')}>{[who, moment(at)].filter(Boolean).join(' · ')}</Property>
      <Property name={words('changes.why')}>
        {[reasonIn(version, words), basis && words(basisIn(basis)), note].filter(Boolean).join(' · ')}
      </Property>
      <Property name={words('changes.difference')}>{version.difference !== 0 && <Moved version={version} currency={currency} />}</Property>
      <Property name={words('changes.kept')}>{kept > 0 && money(kept, currency)}</Property>
    </Properties>
  )
}

/** The difference that a step made to the price and the commission. */
export function Moved({ version: { difference, commission }, currency }: Props) {
  const { words } = useWords()
  const signed = useSigned(currency)
  const showsCommission = useShowsCommission()
  const inCents = (amount: number) => signed((amount < 0 ? -1 : 1) * (toCents(Math.abs(amount)) ?? 0))
  if (difference === 0) return null
  return (
    <span className="block">
      {inCents(difference)}
      {showsCommission &&
        commission !== null &&
        commission !== 0 &&
        ` · ${words('changes.your_commission', { amount: inCents(commission) })}`}
    </span>
  )
}

export function reasonIn({ reason }: Pick<PolicyVersion, 'reason'>, words: Words): string {
  const label = labelIn(reasonLabels, reason)
  return label ? words(label) : ''
}
