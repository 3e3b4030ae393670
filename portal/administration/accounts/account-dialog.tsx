import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import type { RulesForm as Form } from '#portal/kit/form/use-rules-form.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { FormActions } from '../form-actions.tsx'
import { reload } from '../queries.ts'

/** Shows what has changed, and closes the window. */
export async function done(summary: string, onClose: () => void): Promise<void> {
  await reload()
  showToast({ severity: 'success', summary })
  onClose()
}

type DialogProps<Values extends FieldValues> = {
  form: Form<Values>
  title: string
  button: string
  danger?: boolean
  onClose: () => void
  children: ReactNode
}

/** A window with a form about an agency's account. */
export function AccountDialog<Values extends FieldValues>({ form, title, button, danger = false, onClose, children }: DialogProps<Values>) {
  return (
    <Dialog
      open
      onClose={onClose}
      busy={form.busy}
      size="small"
      title={title}
      actions={<FormActions form={form} label={button} danger={danger} onCancel={onClose} />}
    >
      <RulesForm form={form} className="grid gap-(--gap)">
        {children}
      </RulesForm>
    </Dialog>
  )
}
