import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { oneOf } from '#portal/kit/list/list-params.ts'
import { Disclosure } from '#portal/kit/page/disclosure.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { reasons } from '../draft/draft.ts'
import type { LinesProps } from '../draft/groups.ts'
import { reasonLabels } from '../labels.ts'

/** The reason for the change. Closed at first, as it is optional, and skipped by Tab. */
export function Why({ draft, set }: Pick<LinesProps, 'draft' | 'set'>) {
  const { words } = useWords()
  return (
    <Disclosure className="text-sm" summary={<span className="text-quiet">{words('changes.reason_and_note')}</span>}>
      <div className="grid gap-2.5 pt-2 sm:grid-cols-2">
        <Select
          label={words('changes.change_reason')}
          name="reason"
          optional
          placeholder={words('changes.none')}
          value={draft.reason ?? ''}
          onChange={value => set(before => ({ ...before, reason: oneOf(reasons, value) }))}
          options={reasons.map(value => ({ value, label: words(reasonLabels[value]) }))}
        />
        <TextField
          label={words('changes.change_note')}
          name="note"
          optional
          maxLength={500}
          autoComplete="off"
          value={draft.note ?? ''}
          onChange={event => set(before => ({ ...before, note: event.target.value }))}
        />
      </div>
    </Disclosure>
  )
}
