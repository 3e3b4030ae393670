import type { ResponseOf } from '#common/kit/call.ts'
import type { findPersons } from '#common/privacy/calls.ts'
import type { Words } from '#portal/kit/words.tsx'

export type Person = ResponseOf<typeof findPersons>['persons'][number]
export type Place = Person['where'][number]

/** Names a record about a person. */
export const placeName = ({ kind, number }: { kind: Place['kind']; number: string | null }, words: Words): string =>
  words('privacy.place', { kind: kind === 'budget' ? 'quote' : kind, number: number ?? '' })
