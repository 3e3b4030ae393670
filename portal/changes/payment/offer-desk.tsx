import { useListParams } from '#portal/kit/list/list-params.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { DeskFrame, type Frame } from '../desk-frame.tsx'
import { type DeskParam, noDesk } from '../desk-params.ts'
import { abandon } from './take-back.ts'
import { type OpenChange, WaitingNote } from './waiting.tsx'

type Props = { open: OpenChange; currency: string; heading: string; frame: Frame }

/** Replaces the desk while an offer waits for the client. Nothing else can be changed, but the offer can be revoked. */
export function OfferDesk({ open, currency, heading, frame }: Props) {
  const { words } = useWords()
  const { show } = useListParams<DeskParam>()
  return (
    <DeskFrame
      {...frame}
      heading={heading}
      foot={
        <>
          <Button look="quiet" className="max-sm:flex-1 max-sm:whitespace-normal" onClick={() => show(noDesk)}>
            {words('changes.back')}
          </Button>
          <Button look="plain" className="max-sm:flex-1 max-sm:whitespace-normal" onClick={() => void abandon(open, words)}>
            {words('changes.take_offer_back')}
          </Button>
        </>
      }
    >
      <WaitingNote open={open} currency={currency} />
    </DeskFrame>
  )
}
