import type { DeedKind } from './deeds.ts'

/** A deed of a policy, with the commission that it earned or took back. */
type Earning = { id: string; kind: DeedKind; earned: number }

/**
 * Returns, for each deed that took commission back, the deeds that had earned it. `deeds` are those of one policy, in the order of its versions. An
 * undo takes back only the deed before it; an ending takes back all that is still earned.
 */
export function commissionTakenBack<Deed extends Earning>(deeds: readonly Deed[]): Map<string, Deed[]> {
  const pairs = new Map<string, Deed[]>()
  /** The deeds that still earn commission, after each deed that was not undone. */
  const stages: Deed[][] = [[]]
  let last: Deed | undefined
  for (const deed of deeds) {
    const standing = stages.at(-1) ?? []
    if (deed.kind === 'undo') {
      if (stages.length > 1) stages.pop()
      if (deed.earned < 0) pairs.set(deed.id, last ? [last] : [])
    } else {
      if (deed.earned < 0) pairs.set(deed.id, standing)
      stages.push(after(standing, deed))
    }
    last = deed
  }
  return pairs
}

function after<Deed extends Earning>(standing: Deed[], deed: Deed): Deed[] {
  if (deed.earned > 0) return [...standing, deed]
  return deed.earned < 0 && (deed.kind === 'cancellation' || deed.kind === 'withdrawal') ? [] : standing
}
