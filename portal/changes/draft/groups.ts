import type { FieldMessage } from '#portal/kit/field/field.tsx'
import type { ReactNode } from 'react'
import type { Change } from '#common/changes/asked/asked.ts'
import type { Fixed } from '#common/changes/asked/phases.ts'
import type { Policy } from '#common/changes/state.ts'
import { contactFields } from '#common/people/person.ts'
import type { Draft } from './draft.ts'

/** The groups of a policy's fields. Each opens by itself, as most changes concern only one. */
const groups = ['dates', 'places', 'amount', 'people', 'holder', 'other'] as const
export type Group = (typeof groups)[number]

/** Returns the groups of a policy in which something can change. Only cancellation cover insures an amount. */
export const groupsOf = ({ edition }: Policy, fixed?: Fixed): Group[] =>
  groups.filter(group => {
    if (fixed) return group === 'holder' || group === 'other' || (group === 'people' && fixed !== 'change.ended')
    return group !== 'amount' || Boolean(edition.basis.tariff.cancellation)
  })

/** Returns the group of a refusal's field. */
export function groupOf(path: string): Group | undefined {
  const field = /^\w*/.exec(path)?.[0]
  if (field === 'users') return contact.has(/^users\[0\]\.(\w+)/.exec(path)?.[1] ?? '') ? 'holder' : 'people'
  return groups.find(group => fields[group].some(name => name === field))
}

const fields: Record<Group, readonly (keyof Change)[]> = {
  dates: ['startDate', 'endDate'],
  places: ['countriesDestinationId'],
  amount: ['insurancedAmount', 'reservationDate'],
  people: ['users'],
  holder: [],
  other: ['buReference', 'locale'],
}

/** Returns the groups that a draft changes. */
export function touchedGroups({ mended, leaving, joining }: Draft, { people }: Policy, change: Change): Set<Group> {
  const found = new Set(Object.keys(change).flatMap(path => groupOf(path) ?? []))
  if (!change.users) return found
  const holder = people[0]?.personUuid ?? ''
  const isContact = Object.keys(mended[holder] ?? {}).some(field => contact.has(field))
  const isOnlyContact =
    leaving.length === 0 &&
    joining.length === 0 &&
    Object.entries(mended).every(([uuid, typed]) => uuid === holder && Object.keys(typed).every(field => contact.has(field)))
  if (isOnlyContact) found.delete('people')
  if (isContact) found.add('holder')
  return found
}

/** The policyholder's fields besides name, birth date and document. */
const contact = new Set<string>(contactFields)

/** The refusals by their fields, in words. */
export type Problems = {
  /** The message of a field; undefined while the field is being typed in. */
  at: (path: string) => FieldMessage | undefined
  /** The way out of a field's refusal. */
  below: (path: string) => ReactNode
}

export type LinesProps = {
  policy: Policy
  currency: string
  draft: Draft
  /** Why the cover can no longer change: no person joins or leaves. */
  fixed: Fixed | undefined
  set: (change: (before: Draft) => Draft) => void
  problems: Problems
}
