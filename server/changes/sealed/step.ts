import { withSums } from '#common/quotes/price.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import type { OpenChangeRow } from '../queries.ts'
import type { Step } from '../write.ts'

// A step that waits contains the people of the next version. Their document numbers are encrypted beside it.

type Numbers = (string | null)[]
type StepColumns = { step: string; sealed: Buffer; sealed_by: string }

const ownerOf = (id: string): string => `change ${id}`

/** Returns the columns of a step that waits. */
export function stepColumns(secrets: Secrets, id: string, step: Step): StepColumns {
  const { people } = step.contents
  const numbers: Numbers = people.map(({ docNumber }) => (typeof docNumber === 'string' ? docNumber : null))
  const { secret, sealedBy } = secrets.seal(ownerOf(id), Buffer.from(JSON.stringify(numbers)))
  // With the sums, which an older node reads.
  const contents = { ...step.contents, charged: withSums(step.contents.charged), people: people.map(withoutNumber) }
  return { step: JSON.stringify({ ...step, contents }), sealed: secret, sealed_by: sealedBy }
}

/** Returns the step that was shown and will be written; undefined once the change has ended. */
export function stepIn(secrets: Secrets, { id, step: stored, sealed, sealed_by: sealedBy }: OpenChangeRow): Step | undefined {
  // Safe: open.ts writes it.
  const step = stored as Step | null
  if (!step || !sealed) return step ?? undefined
  // Safe: `stepColumns` wrote them.
  const numbers = JSON.parse(secrets.open(ownerOf(id), { secret: sealed, sealedBy }).toString()) as Numbers
  const people = step.contents.people.map((person, index) => {
    const docNumber = numbers[index]
    return typeof docNumber === 'string' ? { ...person, docNumber } : person
  })
  return { ...step, contents: { ...step.contents, people } }
}

/** Returns a request without document numbers: the version that it leads to has them. */
export function withoutNumbers(ask: object): Record<string, unknown> {
  const { change, ...asked } = ask as { change?: { users?: Record<string, unknown>[] | null } } // Safe: any of its properties may be missing.
  if (!change?.users) return { ...ask }
  return { ...asked, change: { ...change, users: change.users.map(withoutNumber) } }
}

const withoutNumber = <Person extends object>(person: Person): Omit<Person, 'docNumber'> => {
  const { docNumber: _, ...others } = person as Person & { docNumber?: unknown } // Safe: whether it has one or not.
  return others
}
