import { isLocale, locales } from '#common/kit/locales.ts'
import { languageNames } from '#portal/kit/language.ts'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { mend, rowsOf, textOf } from '../draft/draft.ts'
import { contactFields, type LinesProps } from '../draft/groups.ts'
import { Line } from '../draft/line.tsx'

/** How to reach the policyholder, and the address. */
export function HolderLines({ policy, draft, set, problems }: LinesProps) {
  const { words } = useWords()
  const holder = rowsOf(policy, draft).find(({ index }) => index === 0)
  if (!holder) return null
  const { key, was, fields } = holder
  return (
    <>
      {contactFields.map(field => (
        <Line
          key={field}
          name={words(`changes.${field}`)}
          was={textOf(policy.people[0]?.[field])}
          below={problems.below(`users[0].${field}`)}
        >
          <TextField
            label={words(`changes.${field}`)}
            hideLabel
            name={`users[0].${field}`}
            type={inputTypes.get(field) ?? 'text'}
            autoComplete="off"
            maxLength={254}
            value={fields[field] ?? textOf(was?.[field])}
            error={problems.at(`users[0].${field}`)}
            onChange={event => set(before => mend(before, key, { [field]: event.target.value }))}
          />
        </Line>
      ))}
    </>
  )
}

const inputTypes = new Map<string, string>([
  ['email', 'email'],
  ['phonePrefix', 'tel'],
  ['phoneNumber', 'tel'],
])

/** The agency's reference, and the language of documents and emails. */
export function OtherLines({ policy, draft, set, problems }: LinesProps) {
  const { words } = useWords()
  const locale = policy.locale ?? ''
  return (
    <>
      <Line name={words('changes.buReference')} was={policy.reference} below={problems.below('buReference')}>
        <TextField
          label={words('changes.buReference')}
          hideLabel
          name="buReference"
          autoComplete="off"
          maxLength={100}
          value={draft.reference ?? policy.reference ?? ''}
          error={problems.at('buReference')}
          onChange={event => set(before => ({ ...before, reference: event.target.value }))}
        />
      </Line>
      <Line name={words('changes.locale')} was={isLocale(locale) && languageNames[locale]} below={problems.below('locale')}>
        <Select
          label={words('changes.locale')}
          hideLabel
          name="locale"
          options={locales.map(value => ({ value, label: languageNames[value] }))}
          value={draft.locale ?? locale}
          error={problems.at('locale')}
          onChange={value => set(before => ({ ...before, locale: value }))}
        />
      </Line>
    </>
  )
}
