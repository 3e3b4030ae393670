import { useEffect, useEffectEvent, useState } from 'react'
import { useSettings } from '#portal/business-unit/settings.ts'
import { isAvailable, useConnection } from '#portal/kit/connection.ts'
import { logOnly } from '#portal/kit/log.ts'
import { loadMessages } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import type { Row } from './list-params.ts'

/** Includes the messages that mark a result as cancelled. */
const loadSearch = () => Promise.all([import('./search-policies.ts'), loadMessages('policies')])
const debounceMs = 150
const minLetters = 2

/**
 * `rows` is empty until the response arrives, and if it fails. A text that is too `short` is not searched. `areSimilar`: none has the text itself.
 * `maySend`: documents of the first one can be sent.
 */
type Result = { rows: Row[]; areSimilar?: boolean; maySend?: boolean; state: 'answered' | 'searching' | 'failed' | 'short' }
export type PolicySearch = Result & { searchAgain: () => void }

/**
 * Searches policies, including cancelled ones, and saved quotes that the user may see, during typing. As every page loads this file, the request is
 * loaded with the first search. A failed search is repeated once the service is back. `withSimilar`: if no policy has the text, those with a similar
 * word are returned.
 */
export function usePolicySearch(text: string, withSimilar = false): PolicySearch {
  const types = useSettings(({ settings }) => settings?.policyStatusTypes)
  const maySeeSold = useMay('b2b-policies-sold-view')
  const maySeeDrafts = useMay('b2b-policies-draft-view')
  const [result, setResult] = useState<Result & { by: string; attempt: number }>(nothing)
  const [attempt, setAttempt] = useState(0)
  const isServed = useConnection(isAvailable)
  const search = text.trim().slice(0, 200)
  const searched = types && [...(maySeeSold ? [types.purchased, types.cancelled] : []), ...(maySeeDrafts ? [types.budgeted] : [])]
  const statuses = searched?.map(({ uuid }) => uuid).join(' ') ?? ''
  useEffect(() => {
    if (search.length < minLetters || statuses === '') return
    const superseded = new AbortController()
    const timer = setTimeout(() => {
      const found = loadSearch().then(([{ searchPolicies }]) => searchPolicies(statuses.split(' '), search, withSimilar, superseded.signal))
      found.then(
        found => setResult({ by: search, attempt, ...found, state: 'answered' }),
        error => {
          if (superseded.signal.aborted) return
          logOnly('searching policies')(error)
          setResult({ by: search, attempt, rows: [], state: 'failed' })
        },
      )
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      superseded.abort()
    }
  }, [search, statuses, withSimilar, attempt])
  // Enter must not open a result for another text.
  const isCurrent = result.by === search && result.attempt === attempt
  const isFailed = isCurrent && result.state === 'failed'
  const searchAgain = () => setAttempt(attempt + 1)
  const repeat = useEffectEvent(searchAgain)
  useEffect(() => (isFailed ? useConnection.subscribe(now => isAvailable(now) && repeat()) : undefined), [isFailed])
  // Without the unit's settings nothing can be searched, and its products are missing.
  if (!searched) return { rows: [], state: 'failed', searchAgain }
  if (searched.length === 0) return { ...nothing, searchAgain }
  if (search.length < minLetters) return { rows: [], state: 'short', searchAgain }
  return isCurrent ? { ...result, searchAgain } : { rows: [], state: isServed ? 'searching' : 'failed', searchAgain }
}

const nothing = { by: '', attempt: 0, rows: [], state: 'answered' as const }
