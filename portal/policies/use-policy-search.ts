import { useEffect, useState } from 'react'
import { useUnit } from '#portal/business-unit/settings.ts'
import { logOnly } from '#portal/kit/log.ts'
import { useMay } from '#portal/session/session.ts'
import type { Row } from './list-params.ts'

const loadSearch = () => import('./search-policies.ts')
const restMs = 150
const leastLetters = 2

/**
 * Searches policies and saved quotes, those that the user may see, as the user types. It is in the frame of every page, so the
 * request is loaded with the first search.
 */
export function usePolicySearch(text: string): Row[] {
  const { policyStatusTypes } = useUnit()
  const sold = useMay('b2b-policies-sold-view')
  const drafts = useMay('b2b-policies-draft-view')
  const [result, setResult] = useState<{ by: string; rows: Row[] }>({ by: '', rows: [] })
  const wanted = text.trim().slice(0, 200)
  const statuses = [sold && policyStatusTypes.purchased.uuid, drafts && policyStatusTypes.budgeted.uuid].filter(Boolean).join(' ')
  useEffect(() => {
    if (wanted.length < leastLetters || statuses === '') return
    const overtaken = new AbortController()
    const timer = setTimeout(() => {
      const rows = loadSearch().then(({ searchPolicies }) => searchPolicies(statuses.split(' '), wanted, overtaken.signal))
      rows.then(
        rows => setResult({ by: wanted, rows }),
        error => overtaken.signal.aborted || logOnly('searching policies')(error),
      )
    }, restMs)
    return () => {
      clearTimeout(timer)
      overtaken.abort()
    }
  }, [wanted, statuses])
  // Enter must not open what other letters found.
  return result.by === wanted && wanted.length >= leastLetters ? result.rows : []
}
