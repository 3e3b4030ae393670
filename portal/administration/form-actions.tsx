import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { FieldValues } from 'react-hook-form'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import type { RulesForm as Form } from '#portal/kit/form/use-rules-form.ts'
import { Dialog, Drawer } from '#portal/kit/overlay/dialog.tsx'
import { keysOf, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reload } from './use-records.ts'

type Props = { form: Pick<Form<object>, 'busy' | 'id'>; label: string; danger?: boolean; cancel?: string; onCancel: () => void }

/** The buttons of a form in a window: cancel or its replacement, and send. */
export function FormActions({ form: { busy, id }, label, danger = false, cancel, onCancel }: Props) {
  const { words } = useWords()
  return (
    <>
      <Button look="quiet" aria-disabled={busy} onClick={() => busy || onCancel()}>
        {cancel ?? words('ui.cancel')}
      </Button>
      <Button type="submit" form={id} look={danger ? 'danger' : 'main'} busy={busy}>
        {label}
      </Button>
    </>
  )
}

type DialogProps<Values extends FieldValues> = {
  form: Form<Values>
  title: string
  description?: ReactNode
  button: string
  danger?: boolean
  onClose: () => void
  children: ReactNode
}

const firstField = ':enabled:not(button, fieldset, [type=hidden], [type=radio]:not(:checked))'

/** A small window with a form, whose first field has the focus. */
export function FormDialog<Values extends FieldValues>({ form, button, danger = false, onClose, children, ...head }: DialogProps<Values>) {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => fields.current?.querySelector<HTMLElement>(firstField)?.focus(), [])
  return (
    <Dialog
      {...head}
      open
      onClose={onClose}
      busy={form.busy}
      size="small"
      actions={<FormActions form={form} label={button} danger={danger} onCancel={onClose} />}
    >
      <div ref={fields} role="none" onKeyDown={sendByKeys}>
        <RulesForm form={form} className="grid gap-(--gap)">
          {children}
        </RulesForm>
      </div>
    </Dialog>
  )
}

/** Presses the window's main button, which is the last one, on Ctrl+Enter. The page's shortcuts are disabled while a window is open. */
function sendByKeys(event: KeyboardEvent<HTMLElement>): void {
  if (event.repeat || keysOf(event) !== shortcuts.next) return
  event.preventDefault()
  const button = event.currentTarget.closest('dialog')?.querySelector<HTMLElement>('footer > button:last-of-type')
  // Moving the focus completes the typed field.
  button?.focus()
  button?.click()
}

/** The Save button of a panel's form. It is in the panel's footer, so that it stays visible while the form scrolls. */
export function SaveInFoot({ form: { busy, id }, foot }: { form: Props['form']; foot: HTMLElement | null }) {
  const { words } = useWords()
  return (
    foot &&
    createPortal(
      <Button type="submit" form={id} busy={busy} className="max-sm:flex-1">
        {words('administration.save')}
      </Button>,
      foot,
    )
  )
}

/** Detects that another user saved first. Nothing is overwritten: the form keeps its values until the user loads the latest version. */
export function useConflict() {
  const [hasConflict, setHasConflict] = useState(false)
  async function watch<Reply>(saving: Promise<Reply>): Promise<Reply> {
    try {
      setHasConflict(false)
      return await saving
    } catch (error) {
      setHasConflict(isRefusedAs(error, 'administration.changed_meanwhile'))
      throw error
    }
  }
  return { hasConflict, watch }
}

export function LoadLatest() {
  const { words } = useWords()
  return (
    <Button look="quiet" icon="repeat" className="justify-self-start" onClick={() => void reload()}>
      {words('administration.show_present')}
    </Button>
  )
}

type NewRecordProps<Values extends FieldValues> = {
  form: Form<Values>
  title: string
  description: string
  button: string
  onClose: () => void
  /** The fields. */
  children: ReactNode
}

/** The form for a new unit or user, in a drawer over the list. */
export function NewRecord<Values extends FieldValues>({ form, title, description, button, onClose, children }: NewRecordProps<Values>) {
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
