import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { useRef, useState } from 'react'
import { policyDetail, sendCertificates } from '#common/policies/calls.ts'
import { policyCan } from '#common/policies/states.ts'
import { ask } from '#portal/kit/ask.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { RadioCards } from '#portal/kit/field/radio-cards.tsx'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { Progress } from '#portal/kit/ui/progress.tsx'
import { onReset } from '#portal/kit/stores.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Row } from './list-params.ts'
import { policiesChanged } from './use-policies.ts'

type File = { uuid: string; label: string }
const noFiles: readonly File[] = []

type Props = { rows: readonly Row[]; files?: readonly File[]; to?: string; onClose: () => void }
type Whom = 'holders' | 'addresses'
type Failure = { uuid: string; name: string; reason: string }

/** E-mails the documents of what was sold, or the offers that budgets are: of one, or of all that were selected. */
export function SendDialog({ rows, files = noFiles, to = '', onClose }: Props) {
  const { words } = useWords()
  const [{ whom, addresses, without }, write, sent] = useLetter(rows, to)
  const [done, setDone] = useState<number>()
  const [failures, setFailures] = useState<Failure[]>([])
  const [error, setError] = useState<string>()
  const underWay = useRef(false)
  const once = useIdempotencyKey()
  const sendable = rows.filter(row => policyCan('send', row))
  const left = failures.length > 0 ? sendable.filter(({ policyUuid }) => failures.some(({ uuid }) => uuid === policyUuid)) : sendable
  const chosen = files.filter(({ uuid }) => !without.includes(uuid)).map(({ uuid }) => uuid)

  async function send() {
    const typed = addressesIn(addresses)
    if (whom === 'addresses' && typed.length === 0) return setError(words('validation.required'))
    // Enter may come again before anything is drawn; and of what was selected perhaps nothing can be sent.
    if (underWay.current || left.length === 0) return
    underWay.current = true
    const failed: Failure[] = []
    setError(undefined)
    setFailures([])
    for (const [place, { policyUuid, policyTaker, productName }] of left.entries()) {
      setDone(place)
      const name = policyTaker || productName
      try {
        const emails = whom === 'holders' ? await holderOf(policyUuid) : typed
        if (emails.length === 0) failed.push({ uuid: policyUuid, name, reason: words('policies.no_address') })
        else {
          const question = { policyUuid, emails, files: chosen.length === files.length ? [] : chosen }
          await once(question, idempotencyKey => ask(sendCertificates, question, { idempotencyKey }))
        }
      } catch (error) {
        const [wrong] = refusedFields(error)
        if (wrong?.path.startsWith('emails')) setError(wrong.message)
        failed.push({ uuid: policyUuid, name, reason: wrong?.message ?? errorMessage(error, words) })
      }
    }
    setDone(undefined)
    setFailures(failed)
    underWay.current = false
    await policiesChanged()
    if (failed.length > 0) return
    sent()
    showToast({ severity: 'success', summary: words('policies.sent', { count: left.length }) })
    onClose()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      busy={done !== undefined}
      title={words('policies.send_title', { count: sendable.length })}
      description={
        sendable.length < rows.length ? words('policies.send_some', { count: rows.length - sendable.length }) : whichOf(sendable)
      }
      actions={
        <>
          <Button look="quiet" disabled={done !== undefined} onClick={onClose}>
            {words('ui.cancel')}
          </Button>
          <Button data-first icon="mail" busy={done !== undefined} disabled={left.length === 0} onClick={() => void send()}>
            {failures.length > 0 ? words('shell.try_again') : words('policies.send')}
          </Button>
        </>
      }
    >
      <RadioCards<Whom>
        label={words('policies.send_whom')}
        name="whom"
        value={whom}
        onChange={whom => {
          setFailures([])
          write({ whom })
        }}
        options={[
          { value: 'holders', label: words('policies.send_holders', { count: sendable.length }) },
          { value: 'addresses', label: words('policies.send_addresses') },
        ]}
      />
      {whom === 'addresses' && (
        <TextField
          label={words('policies.emails')}
          hint={words('policies.emails_hint')}
          name="emails"
          inputMode="email"
          autoComplete="off"
          required
          value={addresses}
          onChange={event => write({ addresses: event.target.value })}
          onKeyDown={event => event.key === 'Enter' && void send()}
          error={error}
        />
      )}
      {files.length > 0 && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-sm font-medium">{words('policies.documents')}</legend>
          {files.map(({ uuid, label }) => (
            <Checkbox
              key={uuid}
              name="files"
              label={label}
              checked={!without.includes(uuid)}
              disabled={chosen.length === 1 && chosen[0] === uuid}
              onChange={on => write({ without: on ? without.filter(each => each !== uuid) : [...without, uuid] })}
            />
          ))}
        </fieldset>
      )}
      {done !== undefined && left.length > 1 && <Progress label={words('policies.sending')} value={done} max={left.length} />}
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

type Letter = { whom: Whom; addresses: string; without: readonly string[] }

/** What was written and not sent, by what it was to go with: it is there again when the window is. */
const unsent = new Map<string, Letter>()
onReset(() => unsent.clear())

function useLetter(rows: readonly Row[], to: string): [Letter, (change: Partial<Letter>) => void, () => void] {
  const place = [to, ...rows.map(({ policyUuid }) => policyUuid)].join(' ')
  const [letter, setLetter] = useState<Letter>(
    () =>
      unsent.get(place) ?? {
        whom: to === '' && rows.some(({ policyTaker }) => policyTaker) ? 'holders' : 'addresses',
        addresses: to,
        without: [],
      },
  )
  function write(change: Partial<Letter>) {
    unsent.set(place, { ...letter, ...change })
    setLetter({ ...letter, ...change })
  }
  return [letter, write, () => unsent.delete(place)]
}

const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

async function holderOf(policyUuid: string): Promise<string[]> {
  const { users } = await ask(policyDetail, { policyUuid })
  return users.filter(({ holder, email }) => holder && email !== '').map(({ email }) => email)
}

/** Of one, which: whoever pressed a key is sure that it is the one he meant. */
const whichOf = (rows: readonly Row[]): string | undefined =>
  rows.length === 1 ? [rows[0]?.policyNumber, rows[0]?.policyTaker || rows[0]?.productName].filter(Boolean).join(' · ') : undefined
