import { ageOn } from '#common/kit/dates.ts'
import { fullName } from '#common/kit/text.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import { useCountryName } from '#portal/business-unit/settings.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Properties, Property } from '#portal/kit/page/properties.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type PolicyVersion, VersionFiles } from './versions.tsx'

/** A version of a policy: the trip, the people, the price and the documents. */
export function AsItStood({ version, currency }: { version: PolicyVersion; currency: string }) {
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
