import { useEffect, useState } from 'react'
import type { QuestionSent, Reply } from '#common/kit/call.ts'
import { knownPeople } from '#common/policies/people-calls.ts'
import { leastSearched } from '#common/policies/search.ts'
import { ask } from '#portal/kit/ask.ts'
import { logOnly } from '#portal/kit/log.ts'

export type As = QuestionSent<typeof knownPeople>['as']
export type Known = Reply<typeof knownPeople>['people'][number]

const restMs = 250

/** Whom these letters find, once the typing rests. What is overtaken, refused or lost finds nobody: one types on. */
export function useKnownPeople(as: As, search: { by: 'document' | 'name'; text: string } | undefined): Known[] {
  const [found, setFound] = useState<{ by: string; people: Known[] }>({ by: '', people: [] })
  const text = search?.text.trim().slice(0, 100) ?? ''
  const by = search?.by ?? 'name'
  const wanted = text.length < leastSearched ? '' : `${as} ${by} ${text}`
  useEffect(() => {
    if (wanted === '') return
    const overtaken = new AbortController()
    const timer = setTimeout(() => {
      ask(knownPeople, { search: text, by, as }, { signal: overtaken.signal }).then(
        ({ people }) => setFound({ by: wanted, people }),
        (error: unknown) => overtaken.signal.aborted || logOnly('looking for people')(error),
      )
    }, restMs)
    return () => {
      clearTimeout(timer)
      overtaken.abort()
    }
  }, [wanted, text, by, as])
  return wanted !== '' && found.by === wanted ? found.people : []
}
