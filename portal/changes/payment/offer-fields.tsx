import { useState } from 'react'
import { refusedFields } from '#portal/kit/errors/error-message.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Note } from '../notes.tsx'

/** The address of an offer, and its problem. */
export type OfferedTo = { email: string; error: string | undefined; change: (email: string) => void }

/** The fields of an offer besides the change: its address. */
export function OfferFields({ offer, amount }: { offer: OfferedTo; amount: string }) {
  const { words } = useWords()
  return (
    <>
      <TextField
        label={words('changes.offer_email')}
        name="offerEmail"
        type="email"
        autoComplete="off"
        maxLength={254}
        value={offer.email}
        error={offer.error}
        onChange={event => offer.change(event.target.value)}
        required
      />
      <Note icon="mail">{words('changes.offered', { amount })}</Note>
    </>
  )
}

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
