/** The name of a way to end a policy. A right that a country adds later has none of its own. */
export const basisIn = (basis: string) => bases.get(basis) ?? ('changes.basis_right' as const)

const names = ['undo', 'before_departure', 'free_look', 'duplicate', 'unused_days', 'FR30', 'PT30', 'UK14', 'EU14'] as const

const bases = new Map<string, `changes.basis_${(typeof names)[number]}`>(names.map(name => [name, `changes.basis_${name}`]))
