import type { MovementKind } from './book.ts'

/** A movement of a policy, with the commission that it earned or took back. */
type Earning = { id: string; kind: MovementKind; earned: number }

/**
 * Returns, for each movement that took commission back, the movements that had earned it. `movements` are those of one policy, in the order of its versions. An
 * undo takes back only the movement before it; an ending takes back all that is still earned.
 */
export function commissionTakenBack<Movement extends Earning>(movements: readonly Movement[]): Map<string, Movement[]> {
  const pairs = new Map<string, Movement[]>()
  /** The movements that still earn commission, after each movement that was not undone. */
  const stages: Movement[][] = [[]]
  let last: Movement | undefined
  for (const movement of movements) {
    const standing = stages.at(-1) ?? []
    if (movement.kind === 'undo') {
      if (stages.length > 1) stages.pop()
      if (movement.earned < 0) pairs.set(movement.id, last ? [last] : [])
    } else {
      if (movement.earned < 0) pairs.set(movement.id, standing)
      stages.push(after(standing, movement))
    }
    last = movement
  }
  return pairs
}

function after<Movement extends Earning>(standing: Movement[], movement: Movement): Movement[] {
  if (movement.earned > 0) return [...standing, movement]
  return movement.earned < 0 && (movement.kind === 'cancellation' || movement.kind === 'withdrawal') ? [] : standing
}
