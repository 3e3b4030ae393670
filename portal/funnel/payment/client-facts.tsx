import { type Locale, locales } from '#common/kit/locales.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { Select } from '#portal/kit/field/select.tsx'
import { languageNames } from '#portal/kit/language.ts'
import { useWords } from '#portal/kit/words.tsx'
import { useFunnel } from '../store.ts'

/** The place of the contract, which decides the right of withdrawal, and the language of emails and documents. */
export function ClientFacts() {
  const { words, locale } = useWords()
  const { channel, asksToBegin, clientLocale } = useFunnel()
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={words('funnel.client.where')}
          name="channel"
          value={channel}
          onChange={value => useFunnel.setState({ channel: value === 'distance' ? 'distance' : 'counter' })}
          options={[
            { value: 'counter', label: words('funnel.client.counter') },
            { value: 'distance', label: words('funnel.client.distance') },
          ]}
        />
        <Select
          label={words('funnel.before.language')}
          name="clientLocale"
          value={clientLocale ?? locale}
          // Safe: the options are the portal's languages.
          onChange={value => useFunnel.setState({ clientLocale: value as Locale })}
          options={locales.map(value => ({ value, label: languageNames[value] }))}
        />
      </div>
      {channel === 'distance' && (
        <Checkbox
          name="askedToBegin"
          label={words('funnel.client.begin')}
          checked={asksToBegin}
          onChange={asksToBegin => useFunnel.setState({ asksToBegin })}
        />
      )}
    </>
  )
}
