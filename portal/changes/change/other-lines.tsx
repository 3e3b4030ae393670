import { isLocale, locales } from '#common/kit/locales.ts'
import { contactFields } from '#common/people/person.ts'
import { personFields } from '#common/people/person.ts'
import { useCountryName, useUnit } from '#portal/business-unit/settings.ts'
import { Combobox } from '#portal/kit/combobox/combobox.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { languageNames } from '#portal/kit/language.ts'
import { useWords } from '#portal/kit/words.tsx'
import { mend, rowsOf, textOf } from '../draft/draft.ts'
import type { LinesProps } from '../draft/groups.ts'
import { Line } from '../draft/line.tsx'
import { fieldLabels } from '../labels.ts'

/** The policyholder's contact data, address and country of residence. */
export function HolderLines({ policy, draft, set, problems }: LinesProps) {
  const { words } = useWords()
  const { country, countriesList } = useUnit().configuration
  const countryName = useCountryName()
  const holder = rowsOf(policy, draft).find(({ index }) => index === 0)
  if (!holder) return null
  const { key, was, fields } = holder
  return (
    <>
      {contactFields.map(field => {
        const before = policy.people[0]?.[field]
        const shared = {
          label: words(fieldLabels[field]),
          hideLabel: true,
          name: `users[0].${field}`,
          error: problems.at(`users[0].${field}`),
        }
        const value = fields[field] === undefined ? was?.[field] : fields[field]
        const put = (typed: string | number | null) => set(draftNow => mend(draftNow, key, { [field]: typed }))
        const isCountry = personFields[field].is === 'country'
        return (
          <Line
            key={field}
            name={shared.label}
            was={isCountry ? countryName(typeof before === 'number' ? before : country) : textOf(before)}
            below={problems.below(shared.name)}
          >
            {isCountry ? (
              <Combobox
                {...shared}
                clearable={false}
                options={countriesList.map(({ id, name, alpha2 }) => ({ value: id, label: name, detail: alpha2 }))}
                value={typeof value === 'number' ? value : country}
                onChange={id => put(id === country ? null : id)}
              />
            ) : (
              <TextField
                {...shared}
                type={inputTypes.get(field) ?? 'text'}
                autoComplete="off"
                maxLength={254}
                value={textOf(value)}
                onChange={event => put(event.target.value)}
              />
            )}
          </Line>
        )
      })}
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
