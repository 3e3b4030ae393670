import { erasePerson, objectForPerson, previewErasure, restrictPerson } from '#common/privacy/calls.ts'
import { takesAway } from '#common/privacy/outcome.ts'
import { FormActions } from '#portal/administration/form-actions.tsx'
import { reload, useRecord } from '#portal/administration/use-records.ts'
import { ReasonField } from '#portal/administration/reason-dialog.tsx'
import { ask } from '#portal/kit/ask.ts'
import { MissingPart } from '#portal/kit/errors/load-error.tsx'
import { BoundSelect } from '#portal/kit/form/bound.tsx'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { AskedBy, askedIn, type Asking, askingProblems, newAsking, ReceivedOn } from './asking.tsx'
import { OutcomeTable } from './outcome-table.tsx'
import type { Person } from './person.ts'

const kinds = ['erase', 'object', 'restrict'] as const
type Values = Asking & { kind: (typeof kinds)[number] }

/** Shows what happens to each item, and does it once the request is recorded with its reason. */
export function AnswerDialog({ person, onDone, onClose }: { person: Person; onDone: () => void; onClose: () => void }) {
  const { words } = useWords()
  const { personKey } = person
  const preview = useRecord(previewErasure, { personKey })
  const form = useRulesForm<Values>({
    defaultValues: { kind: 'erase', ...newAsking() },
    rules: askingProblems,
    send: async ({ kind, ...values }) => {
      const { reason, ...asked } = askedIn(values)
      if (kind === 'object') await ask(objectForPerson, { personKey, ...asked, what: reason })
      else await ask(kind === 'erase' ? erasePerson : restrictPerson, { personKey, ...asked, reason })
      await reload()
      showToast({ severity: 'success', summary: words('privacy.done') })
      onDone()
    },
    fieldOf: path => (path === 'what' ? 'reason' : path),
  })
  const kind = form.watch('kind')
  const isNothing = preview.data !== undefined && !takesAway(preview.data)
  const copies = preview.data?.copies ?? 0
  return (
    <Dialog
      open
      onClose={onClose}
      busy={form.busy}
      title={words('privacy.answer')}
      description={person.name ?? words('privacy.unnamed')}
      actions={
        <FormActions
          form={form}
          label={words('privacy.do', { kind: isNothing ? 'nothing' : kind })}
          danger={!isNothing}
          onCancel={onClose}
        />
      }
    >
      <RulesForm form={form} className="grid gap-(--gap)">
        <div className="grid gap-(--gap) sm:grid-cols-2">
          <BoundSelect
            name="kind"
            label={words('privacy.kind_label')}
            options={kinds.map(value => ({ value, label: words('privacy.kind', { kind: value }) }))}
          />
          <AskedBy />
          <ReceivedOn receivedOn={form.watch('receivedOn')} />
        </div>
        <ReasonField />
      </RulesForm>
      <p className="text-quiet">{words('privacy.answer_hint')}</p>
      {kind === 'erase' && copies > 0 && <Callout tone="warning">{words('privacy.copies_waiting', { count: copies })}</Callout>}
      {preview.error && !preview.data && <MissingPart of={preview} />}
      <OutcomeTable outcome={preview.data} caption={words('privacy.column_outcome')} />
    </Dialog>
  )
}
