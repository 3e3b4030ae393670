import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { searchable } from '#common/kit/text.ts'
import { listPolicies } from '#common/policies/calls.ts'
import { longestMessage, mostAlternatives } from '#common/policies/quote-link.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { ask } from '#portal/kit/ask.ts'
import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { TextArea, TextField } from '#portal/kit/field/text-field.tsx'
import { shownEnd, useFormat } from '#portal/kit/format.ts'
import { focusFirstProblem } from '#portal/kit/form/focus.ts'
import { FormError } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useProductName } from '#portal/products/store.ts'
import type { Row } from '../list-params.ts'
import { policiesChanged } from '../policy-query.ts'
import { isSendable } from '../price-until.tsx'
import { type MakeLink, type Shared, sharedRefusals, type SharedRefusals } from './shared.ts'

type Props = {
  quote: Pick<Row, 'policyUuid' | 'policyTaker'>
  shared: Shared
  onChange: (shared: Shared) => void
  makeLink: MakeLink
  refusals: SharedRefusals
  onRefused: (refusals: SharedRefusals) => void
}

/** The other quotes that the client gets, a message, and the link itself for a messenger. */
export function Share({ quote, shared, onChange, makeLink, refusals, onRefused }: Props) {
  const { words } = useWords()
  const { policyUuid } = quote
  const { alternatives, message } = shared
  const found = useOthers(quote)
  const others = found?.filter(row => isSendable(row) || alternatives.includes(row.policyUuid)) ?? []
  // A kept draft may name quotes that are gone.
  const dropGone = useEffectEvent((found: readonly Row[]) => {
    const still = alternatives.filter(uuid => found.some(({ policyUuid }) => policyUuid === uuid))
    if (still.length < alternatives.length) onChange({ message, alternatives: still })
  })
  useEffect(() => {
    if (found) dropGone(found)
  }, [found])
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refusals.length > 0) focusFirstProblem(fields.current)
  }, [refusals])
  const refusalOf = (path: string) => refusals.find(each => each.path === path)?.message
  return (
    <div ref={fields} className="contents">
      {others.length > 0 && (
        <fieldset className="grid gap-1">
          <legend className="text-sm text-quiet">{words('share.with')}</legend>
          {others.map(other => (
            <Checkbox
              key={other.policyUuid}
              name="alternatives"
              label={<Quote quote={other} />}
              checked={alternatives.includes(other.policyUuid)}
              error={refusalOf(`alternatives[${alternatives.indexOf(other.policyUuid)}]`)}
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
        error={refusalOf('message')}
        onChange={event => onChange({ alternatives, message: event.target.value })}
      />
      {/* Another choice needs another link. */}
      <CopyLink
        key={[...alternatives, message].join(' ')}
        make={() => makeLink({ policyUuid, alternatives, message })}
        onRefused={onRefused}
      />
    </div>
  )
}

/** Returns the other saved quotes of the policyholder. They are read once, so that a chosen one stays to be seen if it is refused. */
function useOthers({ policyUuid, policyTaker }: Props['quote']): Row[] | undefined {
  const statusTypeUuid = useSettings(({ settings }) => settings?.policyStatusTypes.budgeted.uuid)
  const name = policyTaker.trim()
  const { data } = useQuery({
    queryKey: ['others', policyUuid, name],
    staleTime: Infinity,
    gcTime: 0,
    enabled: statusTypeUuid !== undefined && name !== '',
    queryFn: async ({ signal }) => {
      const request = { statusTypeUuid: statusTypeUuid ?? null, searchData: name.slice(0, 200), perPage: 10 }
      const { policies } = await ask(listPolicies, request, { signal })
      return policies.filter(row => row.policyUuid !== policyUuid && searchable(row.policyTaker) === searchable(name))
    },
  })
  return data
}

function Quote({ quote }: { quote: Row }) {
  const { date, money } = useFormat()
  const productName = useProductName()
  const { startDate, endDate, total, currency, buReference } = quote
  return [productName(quote), `${date(startDate)} – ${date(endDate)}`, money(total, currency), buReference].filter(Boolean).join(' · ')
}

/** Makes a link and copies it. It stays visible, as a browser may refuse to copy. */
function CopyLink({ make, onRefused }: { make: () => ReturnType<MakeLink> } & Pick<Props, 'onRefused'>) {
  const { words } = useWords()
  const [busy, setBusy] = useState(false)
  const [link, setLink] = useState<{ url: string; until: string; isCopied: boolean }>()
  const [error, setError] = useState<unknown>()
  const field = useRef<HTMLInputElement>(null)
  async function copy() {
    if (busy) return
    setBusy(true)
    setError(undefined)
    onRefused([])
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
      const refusals = sharedRefusals(failure)
      if (refusals.length > 0) onRefused(refusals)
      else setError(failure)
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
