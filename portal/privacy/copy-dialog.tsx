import { exportPerson } from '#common/privacy/calls.ts'
import { done } from '#portal/administration/use-records.ts'
import { FormDialog } from '#portal/administration/form-actions.tsx'
import { ReasonField } from '#portal/administration/reason-dialog.tsx'
import { ask } from '#portal/kit/ask.ts'
import { BoundSelect, BoundText } from '#portal/kit/form/bound.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useWords } from '#portal/kit/words.tsx'
import { askedIn, type Asking, askingProblems, AskedBy, newAsking, ReceivedOn } from './asking.tsx'
import type { Person } from './person.ts'

/**
 * Has a copy of the person's data made. Its link is sent to one of their addresses; for a person in blocked data the address is typed, and compared.
 */
export function CopyDialog({ person: { personKey, name, emails }, onClose }: { person: Person; onClose: () => void }) {
  const { words } = useWords()
  const form = useRulesForm<Asking & { email: string }>({
    defaultValues: { ...newAsking(), email: emails[0] ?? '' },
    rules: values => [
      ...(values.email.trim() === '' ? [{ path: 'email', rule: 'required' as const, key: 'privacy.email_unknown' as const }] : []),
      ...askingProblems(values),
    ],
    send: async values => {
      await ask(exportPerson, { personKey, ...askedIn(values), email: values.email.trim() })
      await done(words('privacy.copy_asked'), onClose)
    },
  })
  return (
    <FormDialog
      form={form}
      title={words('privacy.copy_ask')}
      description={name ?? words('privacy.unnamed')}
      button={words('privacy.copy_send')}
      onClose={onClose}
    >
      <p className="text-quiet">{words('privacy.copy_hint')}</p>
      {emails.length > 0 ? (
        <BoundSelect name="email" label={words('privacy.email')} options={emails.map(value => ({ value, label: value }))} />
      ) : (
        <BoundText name="email" label={words('privacy.email')} type="email" maxLength={254} required />
      )}
      <AskedBy />
      <ReceivedOn receivedOn={form.watch('receivedOn')} />
      <ReasonField />
    </FormDialog>
  )
}
