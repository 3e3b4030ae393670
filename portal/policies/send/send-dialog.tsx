import { type ReactNode, useRef, useState } from 'react'
import { email } from '#common/kit/validators/emails.ts'
import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { policyDetail, sendCertificates } from '#common/policies/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import type { FieldMessage } from '#portal/kit/field/field.tsx'
import { RadioCards } from '#portal/kit/field/radio-cards.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { later } from '#portal/kit/page/later.tsx'
import { Progress } from '#portal/kit/page/progress-bar.tsx'
import { onReset } from '#portal/kit/stores.ts'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { policyTitle, type Row } from '../list-params.ts'
import { policiesChanged } from '../policy-query.ts'
import { isSendable } from '../price-until.tsx'
import { type MakeLink, type Shared, sharedRefusals, type SharedRefusals } from './shared.ts'

/** Loaded with its messages, as only quotes are shared. */
const [Share] = later(async () => {
  const [{ Share }] = await Promise.all([import('./share.tsx'), loadMessages('share')])
  return Share
})

/** A policy’s current documents are chosen at first. A saved quote has no others. */
type File = { uuid: string; label: string; current?: boolean }
const noFiles: readonly File[] = []

/** The fields of a policy or saved quote that the dialog needs. */
type Sendable = Pick<Row, 'policyUuid' | 'policyNumber' | 'policyTaker' | 'buReference' | 'productName' | 'status'> &
  Partial<Pick<Row, 'startDate' | 'priceValidUntil'>>

type Props = {
  rows: readonly Sendable[]
  files?: readonly File[]
  /** The only file that is chosen at first. */
  only?: string | undefined
  to?: string
  /** The policyholder's address, if it is already known. */
  holder?: string | undefined
  /** Saves the sale and returns the quote's id, for a sale that is not saved yet. */
  save?: () => Promise<string>
  onClose: () => void
  /** For a saved quote, of which the client gets a link. */
  makeLink?: MakeLink | undefined
  /** Further fields. */
  children?: ReactNode
}
type Recipients = 'holders' | 'addresses'
type Failure = { uuid: string; name: string; reason: string }

/** Emails the documents of one policy or saved quote, or of all selected ones. */
export function SendDialog({ rows, files = noFiles, only, to = '', holder, save, onClose, makeLink, children }: Props) {
  const { words } = useWords()
  const [{ recipients, addresses, without, shared }, write, discard] = useEmailDraft(
    rows,
    to,
    holder,
    files.flatMap(({ uuid, current = true }) => ((only === undefined ? current : uuid === only) ? [] : [uuid])),
  )
  const [done, setDone] = useState<number>()
  const [failures, setFailures] = useState<Failure[]>([])
  const [error, setError] = useState<FieldMessage>()
  const [quote] = makeLink ? rows : []
  const [refusals, setRefusals] = useState<SharedRefusals>([])
  const isSending = useRef(false)
  const emails = useRef<HTMLInputElement>(null)
  const once = useIdempotencyKey()
  const sendable = rows.filter(isSendable)
  const remaining = failures.length > 0 ? sendable.filter(({ policyUuid }) => failures.some(({ uuid }) => uuid === policyUuid)) : sendable
  const chosen = files.filter(({ uuid }) => !without.includes(uuid)).map(({ uuid }) => uuid)
  const isCurrent = files.every(({ uuid, current = true }) => chosen.includes(uuid) === current)

  function messageOf(problem: AddressesProblem | undefined): FieldMessage | undefined {
    if (problem?.kind === 'wrong') return words('policies.wrong_address', { address: problem.address })
    return problem && (problem.kind === 'none' || words('policies.emails_hint'))
  }
  function showProblem(problem: AddressesProblem) {
    setError(messageOf(problem))
    emails.current?.focus()
  }
  async function send() {
    const typedAddresses = addressesIn(addresses)
    const problem = recipients === 'addresses' ? addressesProblem(addresses) : undefined
    if (problem) return showProblem(problem)
    // Enter may repeat before the button is busy.
    if (isSending.current) return
    // The selection may contain nothing that can be sent.
    if (remaining.length === 0) return showToast({ severity: 'warn', summary: words('policies.send_some', { count: rows.length }) })
    isSending.current = true
    const failed: Failure[] = []
    let refused: string | undefined
    let isShareRefused = false
    setError(undefined)
    setRefusals([])
    setFailures([])
    for (const [index, row] of remaining.entries()) {
      setDone(index)
      const name = policyTitle(row)
      try {
        const policyUuid = save ? await save() : row.policyUuid
        const emails = recipients === 'holders' ? await holderEmails(policyUuid) : typedAddresses
        if (emails.length === 0) failed.push({ uuid: row.policyUuid, name, reason: words('policies.no_address') })
        else {
          const request = { policyUuid, emails, files: isCurrent ? [] : chosen, ...(quote && shared) }
          await once(request, idempotencyKey => ask(sendCertificates, request, { idempotencyKey }))
        }
      } catch (error) {
        const ofShared = quote ? sharedRefusals(error) : []
        if (ofShared.length > 0) {
          setRefusals(ofShared)
          isShareRefused = true
          break
        }
        const [field] = refusedFields(error)
        const address = typedAddresses[Number(/^emails\[(\d+)\]$/.exec(field?.path ?? '')?.[1])]
        if (recipients === 'addresses' && address) {
          // The other policies would be refused for the same address.
          refused = address
          break
        }
        failed.push({ uuid: row.policyUuid, name, reason: field?.message ?? errorMessage(error, words) })
      }
    }
    setDone(undefined)
    setFailures(failed)
    isSending.current = false
    await policiesChanged()
    if (refused !== undefined) showProblem({ kind: 'wrong', address: refused })
    if (failed.length > 0 || refused !== undefined || isShareRefused) return
    discard()
    onClose()
    // Shown after the window has closed, as it would not be read aloud behind it.
    showToast({ severity: 'success', summary: words('policies.sent', { count: remaining.length }) })
  }

  return (
    <Dialog
      open
      onClose={onClose}
      busy={done !== undefined}
      title={words('policies.send_title', { count: sendable.length })}
      description={
        sendable.length < rows.length ? words('policies.send_some', { count: rows.length - sendable.length }) : nameOfOnly(sendable)
      }
      actions={
        <>
          <Button look="quiet" aria-disabled={done !== undefined} onClick={() => done === undefined && onClose()}>
            {words('ui.cancel')}
          </Button>
          <Button data-first icon="mail" busy={done !== undefined} aria-disabled={remaining.length === 0} onClick={() => void send()}>
            {failures.length > 0 ? words('shell.try_again') : words('policies.send')}
          </Button>
        </>
      }
    >
      <RadioCards<Recipients>
        label={words('policies.send_whom')}
        name="recipients"
        value={recipients}
        onChange={recipients => {
          setFailures([])
          setError(undefined)
          write({ recipients })
        }}
        options={[
          { value: 'holders', label: words('policies.send_holders', { count: sendable.length }), detail: holder },
          { value: 'addresses', label: words('policies.send_addresses') },
        ]}
      />
      {recipients === 'addresses' && (
        <TextField
          ref={emails}
          data-first={addresses === '' || undefined}
          label={words('policies.emails')}
          hint={words('policies.emails_hint')}
          name="emails"
          inputMode="email"
          autoComplete="off"
          required
          value={addresses}
          onChange={event => {
            setError(undefined)
            write({ addresses: event.target.value })
          }}
          onBlur={() => addresses.trim() && setError(messageOf(addressesProblem(addresses)))}
          onKeyDown={event => event.key === 'Enter' && void send()}
          error={error}
        />
      )}
      {children}
      {quote && makeLink && (
        <Share
          quote={quote}
          shared={shared}
          onChange={shared => {
            setRefusals([])
            write({ shared })
          }}
          makeLink={makeLink}
          refusals={refusals}
          onRefused={setRefusals}
        />
      )}
      {files.length > 0 && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-sm text-quiet">{words('policies.documents')}</legend>
          {files.map(({ uuid, label }) => (
            <Checkbox
              key={uuid}
              name="files"
              label={label}
              checked={!without.includes(uuid)}
              onChange={on => {
                // The last checkbox stays ticked, as an email needs a document.
                if (!on && chosen.length === 1) showToast({ severity: 'info', summary: words('policies.send_one_file') })
                else write({ without: on ? without.filter(each => each !== uuid) : [...without, uuid] })
              }}
            />
          ))}
        </fieldset>
      )}
      {done !== undefined && remaining.length > 1 && <Progress label={words('policies.sending')} value={done} max={remaining.length} />}
      <div role="alert" className="empty:hidden">
        {failures.length > 0 && (
          <Callout tone="danger" title={words('policies.not_sent', { count: failures.length })}>
            <ul>
              {failures.map(({ uuid, name, reason }) => (
                <li key={uuid}>
                  {name}: {reason}
                </li>
              ))}
            </ul>
          </Callout>
        )}
      </div>
    </Dialog>
  )
}

type EmailDraft = { recipients: Recipients; addresses: string; without: readonly string[]; shared: Shared }

/** The unsent drafts by address and policies. A reopened dialog shows its draft again. */
const drafts = new Map<string, EmailDraft>()
onReset(() => drafts.clear())

function useEmailDraft(
  rows: readonly Sendable[],
  to: string,
  holder: string | undefined,
  without: readonly string[],
): [EmailDraft, (change: Partial<EmailDraft>) => void, () => void] {
  const key = [to, ...rows.map(({ policyUuid }) => policyUuid), ...without].join(' ')
  const [draft, setDraft] = useState<EmailDraft>(() => {
    const isToHolder = holder === undefined ? to === '' && rows.some(({ policyTaker }) => policyTaker) : to !== '' && to === holder
    const [recipients, addresses] = isToHolder ? (['holders', ''] as const) : (['addresses', to] as const)
    return drafts.get(key) ?? { recipients, addresses, without, shared: { alternatives: [], message: '' } }
  })
  function write(change: Partial<EmailDraft>) {
    drafts.set(key, { ...draft, ...change })
    setDraft({ ...draft, ...change })
  }
  return [draft, write, () => drafts.delete(key)]
}

async function holderEmails(policyUuid: string): Promise<string[]> {
  const { users } = await ask(policyDetail, { policyUuid })
  return users.filter(({ holder, email }) => holder && email !== '').map(({ email }) => email)
}

/** Returns the number and name of a single policy, so that the user can check the row. */
function nameOfOnly([row, ...others]: readonly Sendable[]): string | undefined {
  return row && others.length === 0 ? [row.policyNumber, policyTitle(row)].filter(Boolean).join(' · ') : undefined
}

/** The limit of the call that sends emails. */
const mostAddresses = 10

export const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

type AddressesProblem = { kind: 'wrong'; address: string } | { kind: 'none' | 'many' }

/** Returns the problem of the typed addresses: an invalid one, none, or too many. */
export function addressesProblem(text: string): AddressesProblem | undefined {
  const addresses = addressesIn(text)
  // The rule for an address depends on neither language nor day.
  const wrong = addresses.find(address => email(address, { locale: 'en-EN', today: '' }))
  if (wrong !== undefined) return { kind: 'wrong', address: wrong }
  if (addresses.length === 0) return { kind: 'none' }
  return addresses.length > mostAddresses ? { kind: 'many' } : undefined
}
