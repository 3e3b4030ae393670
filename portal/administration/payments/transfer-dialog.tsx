import { longestTransferReference } from '#common/accounting/movements.ts'
import { BoundText } from '#portal/kit/form/bound.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import { FormDialog } from '../form-actions.tsx'

type Props = { amount: string; onSend: (reference: string) => Promise<void>; onClose: () => void }

/** Records the bank transfer that replaced a refused refund. */
export function TransferDialog({ amount, onSend, onClose }: Props) {
  const { words } = useWords()
  const form = useRulesForm({
    defaultValues: { reference: '' },
    rules: ({ reference }) => (reference.trim() === '' ? [{ path: 'reference', rule: 'required', key: 'validation.required' }] : []),
    send: async ({ reference }) => {
      await onSend(reference.trim())
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={words('administration.transfer')}
      description={words('administration.transfer_hint', { amount })}
      button={words('administration.transfer')}
      onClose={onClose}
    >
      <BoundText name="reference" label={words('administration.transfer_reference')} maxLength={longestTransferReference} required />
    </FormDialog>
  )
}
