import type { ReactNode } from 'react'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { BoundTextArea } from '#portal/kit/form/bound.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { FormDialog } from './form-actions.tsx'

type Props = {
  title: string
  description: ReactNode
  button: string
  danger?: boolean
  onSend: (reason: string) => Promise<void>
  onClose: () => void
}

/** Requires a reason, which the audit entry keeps: actions on other users and agencies need one. */
export function ReasonDialog({ title, description, button, danger = false, onSend, onClose }: Props) {
  const { words } = useWords()
  const form = useRulesForm({
    defaultValues: { reason: '' },
    rules: ({ reason }) => (reason.trim().length < 5 ? [{ path: 'reason', rule: 'required', key: 'administration.fault.reason' }] : []),
    send: async ({ reason }) => {
      await onSend(reason.trim())
      onClose()
    },
  })
  return (
    <FormDialog {...{ form, title, description, button, danger, onClose }}>
      <BoundTextArea
        name="reason"
        label={words('administration.reason')}
        hint={words('administration.reason_hint')}
        required
        maxLength={500}
      />
    </FormDialog>
  )
}
