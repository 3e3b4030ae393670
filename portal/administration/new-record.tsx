import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import type { RulesForm as Form } from '#portal/kit/form/use-rules-form.ts'
import { Drawer } from '#portal/kit/overlay/dialog.tsx'
import { FormActions } from './form-actions.tsx'

type Props<Values extends FieldValues> = {
  form: Form<Values>
  title: string
  description: string
  button: string
  onClose: () => void
  /** The fields. */
  children: ReactNode
}

/** The form for a new unit or user, in a drawer over the list. */
export function NewRecord<Values extends FieldValues>({ form, title, description, button, onClose, children }: Props<Values>) {
  return (
    <Drawer
      open
      onClose={onClose}
      busy={form.busy}
      title={title}
      description={description}
      actions={<FormActions form={form} label={button} onCancel={onClose} />}
    >
      <RulesForm form={form} className="grid gap-6">
        <ErrorSummary />
        {children}
      </RulesForm>
    </Drawer>
  )
}
