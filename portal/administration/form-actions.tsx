import { createPortal } from 'react-dom'
import type { RulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Props = { form: Pick<RulesForm<object>, 'busy' | 'id'>; label: string; danger?: boolean; onCancel: () => void }

/** The buttons of a form in a window: cancel and send. */
export function FormActions({ form: { busy, id }, label, danger = false, onCancel }: Props) {
  const { words } = useWords()
  return (
    <>
      <Button look="quiet" aria-disabled={busy} onClick={() => busy || onCancel()}>
        {words('ui.cancel')}
      </Button>
      <Button type="submit" form={id} look={danger ? 'danger' : 'main'} busy={busy}>
        {label}
      </Button>
    </>
  )
}

/** The Save of a drawer's form, in the drawer's foot: it stays in view while the form scrolls. */
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
