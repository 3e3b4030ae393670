import { useEffect, useState } from 'react'
import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { knownPeople } from '#common/policies/people-calls.ts'
import { leastSearched } from '#common/policies/search.ts'
import { ask } from '#portal/kit/ask.ts'
import { logOnly } from '#portal/kit/log.ts'

export type Role = RequestSentOf<typeof knownPeople>['as']
export type KnownPerson = ResponseOf<typeof knownPeople>['people'][number]

const debounceMs = 250

/** Returns the people who match a search, once typing pauses. A failed or superseded request returns none, so it never interrupts typing. */
export function useKnownPeople(role: Role, search: { by: 'document' | 'name'; text: string } | undefined): KnownPerson[] {
  const [result, setResult] = useState<{ by: string; people: KnownPerson[] }>({ by: '', people: [] })
  const text = search?.text.trim().slice(0, 100) ?? ''
  const by = search?.by ?? 'name'
  const searchKey = text.length < leastSearched ? '' : `${role} ${by} ${text}`
  useEffect(() => {
    if (searchKey === '') return
    const superseded = new AbortController()
    const timer = setTimeout(() => {
      ask(knownPeople, { search: text, by, as: role }, { signal: superseded.signal }).then(
        ({ people }) => setResult({ by: searchKey, people }),
        (error: unknown) => superseded.signal.aborted || logOnly('looking for people')(error),
      )
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      superseded.abort()
    }
  }, [searchKey, text, by, role])
  return searchKey !== '' && result.by === searchKey ? result.people : []
}
