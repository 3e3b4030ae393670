import { useEffect, useState } from 'react'
import { useUnit } from '#portal/business-unit/settings.ts'
import { logOnly } from '#portal/kit/log.ts'
import { useMay } from '#portal/session/session.ts'
import type { Row } from './list-params.ts'

const loadSearch = () => import('./search-policies.ts')
const debounceMs = 150
const minLetters = 2

/**
 * Searches the policies and saved quotes that the user may see, as the user types. Every page loads this file, so the request is loaded with the
 * first search.
 */
export function usePolicySearch(text: string): Row[] {
  const { policyStatusTypes } = useUnit()
  const maySeeSold = useMay('b2b-policies-sold-view')
  const maySeeDrafts = useMay('b2b-policies-draft-view')
  const [result, setResult] = useState<{ by: string; rows: Row[] }>({ by: '', rows: [] })
  const search = text.trim().slice(0, 200)
  const statuses = [maySeeSold && policyStatusTypes.purchased.uuid, maySeeDrafts && policyStatusTypes.budgeted.uuid]
    .filter(Boolean)
    .join(' ')
  useEffect(() => {
    if (search.length < minLetters || statuses === '') return
    const superseded = new AbortController()
    const timer = setTimeout(() => {
      const rows = loadSearch().then(({ searchPolicies }) => searchPolicies(statuses.split(' '), search, superseded.signal))
      rows.then(
        rows => setResult({ by: search, rows }),
        error => superseded.signal.aborted || logOnly('searching policies')(error),
      )
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      superseded.abort()
    }
  }, [search, statuses])
  // Enter must not open a result of another text.
  return result.by === search && search.length >= minLetters ? result.rows : []
}
