import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listPolicies } from '#common/policies/calls.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import { useMay } from '#portal/session/session.ts'
import type { Row } from './look.ts'

const restMs = 150
const fewest = 2

/** Sold policies and budgets that a few letters find, for whoever may see them; as they are typed. */
export function useFoundPolicies(text: string): Row[] {
  const { policyStatusTypes } = useUnit()
  const sold = useMay('b2b-policies-sold-view')
  const drafts = useMay('b2b-policies-draft-view')
  const statuses = [...(sold ? [policyStatusTypes.purchased.uuid] : []), ...(drafts ? [policyStatusTypes.budgeted.uuid] : [])]
  const wanted = useRested(text.trim().slice(0, 200))
  const { data } = useQuery({
    queryKey: ['policies', 'found', wanted, statuses],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        statuses.map(statusTypeUuid => ask(listPolicies, { statusTypeUuid, searchData: wanted, perPage: 5 }, { signal })),
      )
      return found.flatMap(({ policies }) => policies)
    },
    enabled: wanted.length >= fewest && statuses.length > 0,
    placeholderData: keepPreviousData,
  })
  return text.trim().length >= fewest ? (data ?? []) : []
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
