import { useEffect, useState } from 'react'
import { useUnit } from '#portal/business-unit/settings.ts'
import { logOnly } from '#portal/kit/log.ts'
import { useMay } from '#portal/session/session.ts'
import type { Row } from './list-params.ts'

const loadFind = () => import('./find-policies.ts')
const restMs = 150
const fewest = 2

/**
 * Sold policies and budgets that a few letters find, for whoever may see them; as they are typed. The frame of every page
 * carries this, so what asks is loaded when somebody types.
 */
export function useFoundPolicies(text: string): Row[] {
  const { policyStatusTypes } = useUnit()
  const sold = useMay('b2b-policies-sold-view')
  const drafts = useMay('b2b-policies-draft-view')
  const [found, setFound] = useState<{ by: string; rows: Row[] }>({ by: '', rows: [] })
  const wanted = text.trim().slice(0, 200)
  const statuses = [sold && policyStatusTypes.purchased.uuid, drafts && policyStatusTypes.budgeted.uuid].filter(Boolean).join(' ')
  useEffect(() => {
    if (wanted.length < fewest || statuses === '') return
    const overtaken = new AbortController()
    const timer = setTimeout(() => {
      const rows = loadFind().then(({ findPolicies }) => findPolicies(statuses.split(' '), wanted, overtaken.signal))
      rows.then(
        rows => setFound({ by: wanted, rows }),
        error => overtaken.signal.aborted || logOnly('searching policies')(error),
      )
    }, restMs)
    return () => {
      clearTimeout(timer)
      overtaken.abort()
    }
  }, [wanted, statuses])
  // What was found by other letters is not what Enter should open.
  return found.by === wanted && wanted.length >= fewest ? found.rows : []
}
