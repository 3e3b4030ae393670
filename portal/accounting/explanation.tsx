import { Link } from '@tanstack/react-router'
import { today } from '#common/kit/dates.ts'
import { useFormat } from '#portal/kit/format.ts'
import { shownTimeZone } from '#portal/kit/time.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Entry, Line } from './use-accounting.ts'

/** A tag on a movement that took commission back, or whose own was taken back. It links to all movements of its policy. */
export function Explanation({ entry, currency }: { entry: Entry | Line; currency: string }) {
  const { words } = useWords()
  const { money, date } = useFormat()
  const because = useBecause()(entry)
  const isBack = entry.takesBack.length > 0
  const pairs = isBack ? entry.takesBack : entry.takenBackBy
  const [first] = pairs
  if (!first) return null
  const pairInWords = ({ kind, at, commission, statement }: typeof first) => {
    const what = words(isBack ? 'accounting.takes_back' : 'accounting.taken_back_by', {
      kind,
      date: date(today(new Date(at), shownTimeZone())),
      amount: money(commission, currency),
    })
    return statement === null ? what : `${what} · ${statement}`
  }
  return (
    <Link
      to="/earnings"
      search={{ policy: entry.policyUuid }}
      title={[because, ...pairs.map(pairInWords)].filter(Boolean).join('\n')}
      className="inline-flex min-h-6 items-center rounded-sm bg-sunken px-1.5 text-sm whitespace-normal text-quiet"
    >
      {words(isBack ? 'accounting.tag_takes_back' : 'accounting.tag_taken_back', { kind: first.kind, count: pairs.length })}
    </Link>
  )
}

/** Returns the reason of a movement in words: the reason given at the desk, and the rule of the refund. */
export function useBecause() {
  const { words } = useWords()
  return ({ why }: Entry | Line): string => {
    if (!why) return ''
    const reason = why.byClient ? words('accounting.by_client') : why.reason && words('accounting.reason', { reason: why.reason })
    return [reason, why.basis && words('accounting.basis', { basis: why.basis })].filter(Boolean).join(', ')
  }
}
