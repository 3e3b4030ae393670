import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { searchable } from '#common/kit/text.ts'
import { listPolicies } from '#common/policies/calls.ts'
import { longestMessage, mostAlternatives } from '#common/policies/quote-link.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { TextArea, TextField } from '#portal/kit/field/text-field.tsx'
import { shownEnd, useFormat } from '#portal/kit/format.ts'
import { FormError } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useProductName } from '#portal/products/store.ts'
import type { Row } from '../list-params.ts'
import { policiesChanged } from '../policy-query.ts'
import { isSendable } from '../price-until.tsx'
import type { MakeLink, Shared } from './shared.ts'

type Props = {
  quote: Pick<Row, 'policyUuid' | 'policyTaker'>
  shared: Shared
  onChange: (shared: Shared) => void
  makeLink: MakeLink
}

/** The other quotes that the client gets, a message, and the link itself for a messenger. */
export function Share({ quote, shared, onChange, makeLink }: Props) {
  const { words } = useWords()
  const { policyUuid } = quote
  const { alternatives, message } = shared
  const others = useOthers(quote)
  return (
    <>
      {others.length > 0 && (
        <fieldset className="grid gap-1">
          <legend className="text-sm text-quiet">{words('share.with')}</legend>
          {others.map(other => (
            <Checkbox
              key={other.policyUuid}
              name="alternatives"
              label={<Quote quote={other} />}
              checked={alternatives.includes(other.policyUuid)}
              disabled={alternatives.length === mostAlternatives && !alternatives.includes(other.policyUuid)}
              onChange={on =>
                onChange({
                  message,
                  alternatives: on ? [...alternatives, other.policyUuid] : alternatives.filter(each => each !== other.policyUuid),
                })
              }
            />
          ))}
          <p className="text-sm text-quiet">{words('share.with_hint')}</p>
        </fieldset>
      )}
      <TextArea
        label={words('share.message')}
        hint={words('share.message_hint')}
        name="message"
        rows={2}
        maxLength={longestMessage}
        optional
        value={message}
        onChange={event => onChange({ alternatives, message: event.target.value })}
      />
      {/* Another choice needs another link. */}
      <CopyLink key={[...alternatives, message].join(' ')} make={() => makeLink({ policyUuid, alternatives, message })} />
    </>
  )
}

/** Returns the other saved quotes of the policyholder that still have their price. */
function useOthers({ policyUuid, policyTaker }: Props['quote']): Row[] {
  const statusTypeUuid = useSettings(({ settings }) => settings?.policyStatusTypes.budgeted.uuid)
  const name = policyTaker.trim()
  const { data } = useQuery({
    queryKey: ['policies', 'others', name],
    enabled: statusTypeUuid !== undefined && name !== '',
    queryFn: ({ signal }) =>
      ask(listPolicies, { statusTypeUuid: statusTypeUuid ?? null, searchData: name.slice(0, 200), perPage: 10 }, { signal }),
  })
  const isSame = (row: Row) => row.policyUuid !== policyUuid && searchable(row.policyTaker) === searchable(name)
  return data?.policies.filter(row => isSame(row) && isSendable(row)) ?? []
}

function Quote({ quote }: { quote: Row }) {
  const { date, money } = useFormat()
  const productName = useProductName()
  const { startDate, endDate, total, currency, buReference } = quote
  return [productName(quote), `${date(startDate)} – ${date(endDate)}`, money(total, currency), buReference].filter(Boolean).join(' · ')
}

/** Makes a link and copies it. It stays visible, as a browser may refuse to copy. */
function CopyLink({ make }: { make: () => ReturnType<MakeLink> }) {
  const { words } = useWords()
  const [busy, setBusy] = useState(false)
  const [link, setLink] = useState<{ url: string; until: string; isCopied: boolean }>()
  const [error, setError] = useState<unknown>()
  const field = useRef<HTMLInputElement>(null)
  async function copy() {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      const made = link ?? (await make())
      const isCopied = await navigator.clipboard.writeText(made.url).then(
        () => true,
        () => false,
      )
      setLink({ ...made, isCopied })
      if (!isCopied) field.current?.select()
      if (!link) await policiesChanged()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="grid gap-2">
      <Button look="quiet" icon="copy" className="justify-self-start" busy={busy} onClick={() => void copy()}>
        {words('share.copy')}
      </Button>
      {link && (
        <TextField ref={field} label={words('share.link')} name="link" readOnly value={link.url} onFocus={event => event.target.select()} />
      )}
      <output className="text-sm text-quiet empty:hidden">
        {link && words(link.isCopied ? 'share.copied' : 'share.made', { until: shownEnd(link.until) })}
      </output>
      <FormError text={error === undefined ? undefined : (refusedFields(error)[0]?.message ?? errorMessage(error, words))} />
    </div>
  )
}
