/** The states of something, each with those that may follow. */
export type Life<State extends string> = Readonly<Record<State, readonly State[]>>

export const mayFollow = <State extends string>(life: Life<State>, from: State, to: State): boolean => life[from].includes(to)

/** Throws unless a state stays or may follow. Callers have checked this before, so a throw is a bug of theirs. */
export function demandFollowing<State extends string>(life: Life<State>, from: State, to: State): void {
  if (from !== to && !mayFollow(life, from, to)) throw new Error(`${from} cannot become ${to}`)
}

/** Returns the states that a state may follow. A guarded update names them, so that no other state is left by it. */
export const leadingTo = <State extends string>(life: Life<State>, to: State): State[] =>
  // Safe: the keys are the states.
  (Object.keys(life) as State[]).filter(from => mayFollow(life, from, to))
