import type { ReactNode } from 'react'
import type { PolicyDetail } from '../policy-query.ts'

/** The parts of a policy's details that belong to features above this one. */
export type Parts = {
  /** The tickets of a policy by its number. */
  tickets: (policyNumber: string, policyUuid: string) => ReactNode
  /** How a cancelled policy ended. */
  ended?: (detail: PolicyDetail) => ReactNode
  /** The movements that are possible on a sold policy, each with its end. */
  movements?: (detail: PolicyDetail) => ReactNode
  versions?: (policyUuid: string) => ReactNode
}

export type PartsQuery = ReturnType<typeof partsQuery>

/** Loads the code of the parts together with the details, so that both are shown at once. `lazy` would show the parts later. */
export const partsQuery = (kind: 'sold' | 'saved', load: () => Promise<Parts>) =>
  ({
    queryKey: ['policy-parts', kind],
    queryFn: load,
    structuralSharing: false,
    staleTime: Infinity,
    gcTime: Infinity,
  }) as const
