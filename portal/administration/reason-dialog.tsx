import type { ReactNode } from 'react'
import type { Problem } from '#common/kit/problems.ts'
import { BoundTextArea } from '#portal/kit/form/bound.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
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

/** Asks for a reason, which the audit entry keeps: actions on other users and agencies need one. */
export function ReasonDialog({ title, description, button, danger = false, onSend, onClose }: Props) {
  const form = useRulesForm({
    defaultValues: { reason: '' },
    rules: ({ reason }) => reasonProblems(reason),
    send: async ({ reason }) => {
      await onSend(reason.trim())
      onClose()
    },
  })
  return (
    <FormDialog {...{ form, title, description, button, danger, onClose }}>
      <ReasonField />
    </FormDialog>
  )
}

/** Requires a reason of at least a few words. */
export const reasonProblems = (reason: string): Problem[] =>
  reason.trim().length < 5 ? [{ path: 'reason', rule: 'required', key: 'administration.fault.reason' }] : []

/** The field for the reason of an action, which the audit keeps. */
export function ReasonField() {
  const { words } = useWords()
  return (
    <BoundTextArea
      name="reason"
      label={words('administration.reason')}
      hint={words('administration.reason_hint')}
      required
      maxLength={500}
    />
  )
}
