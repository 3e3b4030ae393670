import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Note } from '../note.tsx'

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
