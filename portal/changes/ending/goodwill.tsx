import { useState } from 'react'
import { previewEnding } from '#common/changes/ending/cancel.ts'
import { goodwillBasis } from '#common/changes/ending/candidates.ts'
import type { Now, Policy } from '#common/changes/state.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'

/** Goodwill (decision 54), for an administrator at the desk: the typed percentage, and the last valid one. */
export type Goodwill = ReturnType<ReturnType<typeof useGoodwill>>

/** Returns a function that computes the goodwill possible for a policy at an instant. */
export function useGoodwill() {
  const isAdministrator = useMay('b2b-admin')
  const [{ typed, percent }, set] = useState({ typed: '100', percent: 100 })
  const isValid = Number(typed) === percent
  const type = (next: string) => set({ typed: next, percent: /^([1-9]\d?|100)$/.test(next.trim()) ? Number(next) : percent })
  return (policy: Policy, now: Now) => {
    const gives = (goodwill: number) => previewEnding(policy, { as: 'cancellation', version: policy.version, goodwill }, now)
    return {
      // If the rules refund everything, goodwill adds nothing.
      isOffered: isAdministrator && gives(100).basis === goodwillBasis && gives(100).possible,
      refund: isValid ? gives(percent).refund : undefined,
      percent,
      isValid,
      typed,
      type,
    }
  }
}

type Props = { goodwill: Goodwill; note: string; onNote: (note: string) => void; tried: boolean }

/** The percentage of the premium to refund, and the reason. */
export function GoodwillFields({ goodwill: { isValid, typed, type }, note, onNote, tried }: Props) {
  const { words } = useWords()
  return (
    <div className="grid items-start gap-2.5 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <TextField
        label={words('changes.goodwill_percent')}
        name="goodwill"
        required
        inputMode="numeric"
        maxLength={3}
        autoComplete="off"
        after={<span className="pr-3 text-quiet">%</span>}
        value={typed}
        onChange={event => type(event.target.value)}
        error={isValid ? undefined : words('changes.goodwill_range')}
      />
      <TextField
        label={words('changes.goodwill_reason')}
        name="note"
        required
        maxLength={500}
        autoComplete="off"
        value={note}
        onChange={event => onNote(event.target.value)}
        error={(tried && note.trim() === '') || undefined}
      />
    </div>
  )
}
