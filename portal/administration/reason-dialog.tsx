import type { ReactNode } from 'react'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { BoundTextArea } from '#portal/kit/form/bound.tsx'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { FormActions } from './form-actions.tsx'

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
    <Dialog
      open
      onClose={onClose}
      busy={form.busy}
      size="small"
      title={title}
      description={description}
      actions={<FormActions form={form} label={button} danger={danger} onCancel={onClose} />}
    >
      <RulesForm form={form} className="grid gap-(--gap)">
        <BoundTextArea
          name="reason"
          label={words('administration.reason')}
          hint={words('administration.reason_hint')}
          required
          maxLength={500}
        />
      </RulesForm>
    </Dialog>
  )
}
