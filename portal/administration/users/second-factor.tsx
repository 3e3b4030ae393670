import { useState } from 'react'
import { resetTwoFactor } from '#common/administration/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Part } from '../record.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from '../use-records.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import type { User } from './user.tsx'

/** Resets the second factor of a user who lost it and whose units have no manager who could. */
export function SecondFactor({ user: { uuid, name } }: { user: User }) {
  const { words } = useWords()
  const [isConfirming, setIsConfirming] = useState(false)
  return (
    <Part
      title={words('administration.two_factor')}
      actions={
        <Button look="risk" icon="lock" onClick={() => setIsConfirming(true)}>
          {words('administration.reset')}
        </Button>
      }
    >
      <p className="text-quiet">{words('administration.two_factor_on')}</p>
      {isConfirming && (
        <ReasonDialog
          danger
          title={words('administration.reset_two_factor_of', { name })}
          description={words('administration.reset_two_factor_hint')}
          button={words('administration.reset')}
          onSend={async reason => {
            await ask(resetTwoFactor, { uuid, reason })
            await reload()
            showToast({ severity: 'success', summary: words('administration.two_factor_reset', { name }) })
          }}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </Part>
  )
}
