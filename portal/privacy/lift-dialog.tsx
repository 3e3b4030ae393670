import { liftHold } from '#common/privacy/calls.ts'
import { done } from '#portal/administration/queries.ts'
import { ReasonDialog } from '#portal/administration/reason-dialog.tsx'
import { ask } from '#portal/kit/ask.ts'
import { useWords } from '#portal/kit/words.tsx'

type Props = { uuid: string; what: string; onDone: () => void; onClose: () => void }

/** Lifts the hold of a policy or ticket, with a reason. */
export function LiftDialog({ uuid, what, onDone, onClose }: Props) {
  const { words } = useWords()
  return (
    <ReasonDialog
      title={words('privacy.lift')}
      description={`${what}. ${words('privacy.lift_hint')}`}
      button={words('privacy.lift')}
      onSend={async reason => {
        await ask(liftHold, { uuid, reason })
        await done(words('privacy.lifted'), onDone)
      }}
      onClose={onClose}
    />
  )
}
