import { toCents } from '#common/kit/money.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { Properties, Property } from '#portal/kit/page/properties.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { basisIn } from '../bases.ts'
import { useSigned } from '../money.ts'
import type { PolicyVersion } from './use-versions.ts'

type Props = { version: PolicyVersion; currency: string }

/** The step that led to a version: who made it and why, and what it did to money. */
export function Step({ version, currency }: Props) {
  const { words } = useWords()
  const { moment, money } = useFormat()
  const signed = useSigned(currency)
  const showsCommission = useShowsCommission()
  const { kind, at, who, basis, note, difference, kept, commission } = version
  const inCents = (amount: number) => signed((amount < 0 ? -1 : 1) * (toCents(Math.abs(amount)) ?? 0))
  return (
    <Properties>
      <Property name={words('changes.step')}>{words(`changes.step_${kind}`)}</Property>
      <Property name={words('changes.made')}>{[who, moment(at)].filter(Boolean).join(' · ')}</Property>
      <Property name={words('changes.why')}>{[reasonIn(version, words), basis && words(basisIn(basis)), note].filter(Boolean).join(' · ')}</Property>
      <Property name={words('changes.difference')}>{difference !== 0 && inCents(difference)}</Property>
      <Property name={words('changes.kept')}>{kept > 0 && money(kept, currency)}</Property>
      <Property name={words('changes.commission')}>{showsCommission && commission !== null && commission !== 0 && inCents(commission)}</Property>
    </Properties>
  )
}

const reasons = ['trip_cancelled', 'visa_refused', 'duplicate', 'price', 'error', 'other', 'client', 'carrier', 'agency_error'] as const

export function reasonIn({ reason }: Pick<PolicyVersion, 'reason'>, words: Words): string {
  const known = reasons.find(each => each === reason)
  return known ? words(`changes.reason_${known}`) : ''
}
