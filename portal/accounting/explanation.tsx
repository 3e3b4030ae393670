import { Link } from '@tanstack/react-router'
import { today } from '#common/kit/dates.ts'
import { useFormat } from '#portal/kit/format.ts'
import { shownTimeZone } from '#portal/kit/time.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Entry, Line } from './use-accounting.ts'

/** Shows why a movement was made, and the movements whose commission it took back, or the reverse. They link to all movements of its policy. */
export function Explanation({ entry, currency }: { entry: Entry | Line; currency: string }) {
  const { words } = useWords()
  const { money, date } = useFormat()
  const dayOf = (at: string) => date(today(new Date(at), shownTimeZone()))
  const because = useBecause()(entry)
  const pairs = [
    ...entry.takesBack.map(pair => ({ ...pair, message: 'accounting.takes_back' as const })),
    ...entry.takenBackBy.map(pair => ({ ...pair, message: 'accounting.taken_back_by' as const })),
  ]
  if (because === '' && pairs.length === 0) return null
  return (
    <span className="grid text-sm whitespace-normal text-quiet">
      {because && <span>{because}</span>}
      {pairs.map(({ uuid, kind, at, commission, statement, message }) => (
        <span key={uuid}>
          <Link
            to="/earnings"
            search={{ policy: entry.policyUuid }}
            title={words('accounting.policy_movements', { policy: entry.policyNumber })}
            className="underline underline-offset-4"
          >
            {words(message, { kind, date: dayOf(at), amount: money(commission, currency) })}
          </Link>
          {statement !== null && ` · ${statement}`}
        </span>
      ))}
    </span>
  )
}

/** Returns the reason of a movement in words: the reason given at the desk, and the rule of the refund. */
function useBecause() {
  const { words } = useWords()
  return ({ why }: Entry | Line): string => {
    if (!why) return ''
    const reason = why.byClient ? words('accounting.by_client') : why.reason && words('accounting.reason', { reason: why.reason })
    return [reason, why.basis && words('accounting.basis', { basis: why.basis })].filter(Boolean).join(', ')
  }
}
