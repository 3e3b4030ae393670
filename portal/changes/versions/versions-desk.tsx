import { ageOn } from '#common/kit/dates.ts'
import { fullName } from '#common/kit/text.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import { useCountryName, useUnit } from '#portal/business-unit/settings.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { useListParams } from '#portal/kit/list/list-params.ts'
import { Properties, Property } from '#portal/kit/page/properties.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { fieldLabels, stepLabels } from '../labels.ts'
import { type DeskParam, noDesk } from '../desk-params.ts'
import { DeskFrame, type Frame } from '../desk-frame.tsx'
import { differencesOf, type VersionDifference } from './compare.ts'
import { Moved, type PolicyVersion, reasonIn, Step, useVersions, VersionFiles } from './versions.tsx'

/** One version of a policy, or two side by side with their differences. */
export function VersionsDesk({ frame }: { frame: Frame }) {
  const { words } = useWords()
  const { params, show, follow } = useListParams<DeskParam>()
  const { data, error, refetch } = useVersions(frame.policyUuid)
  const { currency } = useUnit().configuration
  const versions = data ?? []
  const shown = versions.find(({ version }) => String(version) === params.version) ?? versions.at(-1)
  const other = versions.find(({ version }) => String(version) === params.with && version !== shown?.version)
  return (
    <DeskFrame
      {...frame}
      heading={words('changes.title_versions')}
      foot={
        <Button look="quiet" onClick={() => show(noDesk)}>
          {words('changes.back')}
        </Button>
      }
    >
      {shown && (
        <>
          <div className="grid gap-2.5 sm:grid-cols-2">
            <VersionSelect
              name="version"
              label={words('changes.shown_version')}
              versions={versions}
              value={shown}
              onChange={version => follow({ version })}
            />
            <VersionSelect
              name="with"
              label={words('changes.compare_with')}
              versions={versions.filter(version => version !== shown)}
              value={other}
              none={words('changes.none')}
              onChange={version => follow({ with: version || undefined })}
            />
          </div>
          {other ? (
            <Compared versions={[other, shown].toSorted((a, b) => a.version - b.version)} currency={currency} />
          ) : (
            <>
              <Step version={shown} currency={currency} />
              <AsItStood version={shown} currency={currency} />
            </>
          )}
        </>
      )}
      {!data && !error && (
        <Loading className="grid gap-4">
          <Skeleton className="h-32 w-full" />
        </Loading>
      )}
      {error && <LoadError title={words('policies.detail_failed')} error={error} retry={() => void refetch()} />}
    </DeskFrame>
  )
}

type SelectProps = {
  name: string
  label: string
  versions: readonly PolicyVersion[]
  value: PolicyVersion | undefined
  none?: string
  onChange: (version: string) => void
}

function VersionSelect({ name, label, versions, value, none, onChange }: SelectProps) {
  const { words } = useWords()
  const { moment } = useFormat()
  return (
    <Select
      label={label}
      name={name}
      value={value ? String(value.version) : ''}
      {...(none ? { placeholder: none } : {})}
      onChange={onChange}
      options={versions.map(({ version, number, kind, at }) => ({
        value: String(version),
        label: `${words('changes.version', { version: number })} · ${words(stepLabels[kind])} · ${moment(at)}`,
      }))}
    />
  )
}

/** A version of a policy: the trip, the people, the price and the documents. */
function AsItStood({ version, currency }: { version: PolicyVersion; currency: string }) {
  const { words } = useWords()
  const { date, list, money } = useFormat()
  const { trip, users, startDate, endDate, premium, taxes, total, files } = version
  const countryName = useCountryName()
  return (
    <Properties>
      <Property name={words('changes.group_dates')}>{`${date(startDate)} – ${date(endDate)}`}</Property>
      <Property name={words('changes.destinations')}>{list((tripIn(trip).destinations ?? []).map(countryName))}</Property>
      <Property name={words('changes.insurancedAmount')}>
        {trip.insurancedAmount !== null &&
          [money(trip.insurancedAmount, currency), trip.reservationDate && date(trip.reservationDate)].filter(Boolean).join(' · ')}
      </Property>
      <Property name={words('changes.group_people')}>
        <ul className="grid gap-1">
          {users.map(person => (
            <li key={person.personUuid} className="flex gap-4">
              <span className="min-w-0 flex-1">{fullName(person)}</span>
              <span className="text-quiet">{person.docNumber}</span>
              <span className="w-6 text-right text-quiet">{person.birthDate && ageOn(person.birthDate, startDate)}</span>
            </li>
          ))}
        </ul>
      </Property>
      <Property name={words('changes.premium')}>{money(premium, currency)}</Property>
      {taxes.map(({ code, label, amount }) => (
        <Property key={code} name={label}>
          {money(amount, currency)}
        </Property>
      ))}
      <Property name={words('changes.total')}>
        <strong>{money(total, currency)}</strong>
      </Property>
      <Property name={words('changes.documents')}>{files.length > 0 && <VersionFiles files={files} />}</Property>
    </Properties>
  )
}

/** Two versions side by side, the earlier one on the left: only the lines that differ. */
function Compared({ versions: [was, is], currency }: { versions: PolicyVersion[]; currency: string }) {
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
