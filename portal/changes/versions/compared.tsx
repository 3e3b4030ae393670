import { useCountryName } from '#portal/business-unit/settings.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import { fieldLabels, stepLabels } from '../labels.ts'
import { differencesOf, type VersionDifference } from './compare.ts'
import { Moved, type PolicyVersion, reasonIn } from './versions.tsx'

/** Two versions side by side, the earlier one on the left: only the lines that differ. */
export function Compared({ versions: [was, is], currency }: { versions: PolicyVersion[]; currency: string }) {
  const { words } = useWords()
  const { date, money, moment } = useFormat()
  const countryName = useCountryName()
  if (!was || !is) return null
  const lines = differencesOf(was, is, countryName)
  const textOf = ({ kind }: VersionDifference, value: string | number | null): string => {
    if (value === null || value === '') return words('changes.none')
    return kind === 'money' ? money(Number(value), currency) : kind === 'date' ? date(String(value)) : String(value)
  }
  const nameOf = ({ field, label, person }: VersionDifference): string =>
    [field === 'tax' ? label : words(fieldLabels[field]), field === 'person' || field === 'name' ? undefined : person]
      .filter(Boolean)
      .join(' · ')
  return (
    <table className="w-full table-fixed border-collapse text-left">
      <caption className="sr-only">{words('changes.compare_with')}</caption>
      <thead>
        <tr className="align-top text-sm text-quiet">
          <th scope="col" className="w-24 max-sm:w-20">
            <span className="sr-only">{words('changes.what')}</span>
          </th>
          {[was, is].map((version, index) => (
            <th key={version.version} scope="col" className={`px-2 py-2 font-normal ${index === 1 ? 'rounded-t-lg bg-sunken' : ''}`}>
              <span className="block font-semibold text-ink">{words('changes.version', { version: version.number })}</span>
              {words(stepLabels[version.kind])}
              <span className="block">{[version.who, moment(version.at)].filter(Boolean).join(' · ')}</span>
              <span className="block">{reasonIn(version, words)}</span>
              <Moved version={version} currency={currency} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(line => (
          <tr key={`${line.field} ${line.label} ${line.person} ${line.was} ${line.is}`} className="border-t border-hair align-top">
            <th scope="row" className="py-2 pr-2 text-sm font-normal text-quiet">
              {nameOf(line)}
            </th>
            <td className="px-2 py-2 wrap-anywhere text-quiet">{textOf(line, line.was)}</td>
            <td className="bg-sunken px-2 py-2 font-semibold wrap-anywhere">{textOf(line, line.is)}</td>
          </tr>
        ))}
        {lines.length === 0 && (
          <tr>
            <td colSpan={3} className="py-2 text-quiet">
              {words('changes.no_difference')}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
