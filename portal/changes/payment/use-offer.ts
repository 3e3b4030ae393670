import { useState } from 'react'
import { refusedFields } from '#portal/kit/errors/error-message.ts'
import type { OfferedTo } from './offer-fields.tsx'

const path = 'settle.offer.email'

/** Returns the address of an offer, by default the policyholder's. `refuse` shows an error if it concerns the address, and then returns true. */
export function useOffer(holdersEmail: string): OfferedTo & { refuse: (error: unknown) => boolean } {
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<string>()
  return {
    email: typed ?? holdersEmail,
    error,
    change(email) {
      setTyped(email)
      setError(undefined)
    },
    refuse(failure) {
      const refused = refusedFields(failure).find(field => field.path === path)
      setError(refused?.message)
      return refused !== undefined
    },
  }
}
