import { useEffect, useState } from 'react'
import { useSettings } from '#portal/business-unit/settings.ts'
import { logOnly } from '#portal/kit/log.ts'
import { loadMessages } from '#portal/kit/words.tsx'
import { useMay } from '#portal/session/session.ts'
import type { Row } from './list-params.ts'

/** With the messages that mark a result as cancelled. */
const loadSearch = () => Promise.all([import('./search-policies.ts'), loadMessages('policies')])
const debounceMs = 150
const minLetters = 2

/** `rows` are none until the answer is there, and if there is none. */
export type PolicySearch = { rows: Row[]; state: 'answered' | 'searching' | 'failed' }

/**
 * Searches the policies, cancelled ones too, and saved quotes that the user may see, as the user types. Every page loads this file, so the request is loaded with the
 * first search.
 */
export function usePolicySearch(text: string): PolicySearch {
  const types = useSettings(({ settings }) => settings?.policyStatusTypes)
  const maySeeSold = useMay('b2b-policies-sold-view')
  const maySeeDrafts = useMay('b2b-policies-draft-view')
  const [result, setResult] = useState<PolicySearch & { by: string }>(nothing)
  const search = text.trim().slice(0, 200)
  const searched = types && [...(maySeeSold ? [types.purchased, types.cancelled] : []), ...(maySeeDrafts ? [types.budgeted] : [])]
  const statuses = searched?.map(({ uuid }) => uuid).join(' ') ?? ''
  useEffect(() => {
    if (search.length < minLetters || statuses === '') return
    const superseded = new AbortController()
    const timer = setTimeout(() => {
      const rows = loadSearch().then(([{ searchPolicies }]) => searchPolicies(statuses.split(' '), search, superseded.signal))
      rows.then(
        rows => setResult({ by: search, rows, state: 'answered' }),
        error => {
          if (superseded.signal.aborted) return
          logOnly('searching policies')(error)
          setResult({ by: search, rows: [], state: 'failed' })
        },
      )
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      superseded.abort()
    }
  }, [search, statuses])
  // Without the unit's settings nothing can be searched, and its products are missing.
  if (!searched) return { rows: [], state: 'failed' }
  if (search.length < minLetters || searched.length === 0) return nothing
  // Enter must not open a result of another text.
  return result.by === search ? result : { rows: [], state: 'searching' }
}

const nothing = { by: '', rows: [], state: 'answered' as const }
