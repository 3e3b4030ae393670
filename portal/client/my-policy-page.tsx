import { type ChangeEvent, lazy, useState } from 'react'
import { clientFind, type ClientPolicy, clientPolicy } from '#common/client/calls.ts'
import { readDate } from '#common/kit/dates.ts'
import { typedDate } from '#common/kit/typed/typed-date.ts'
import { ask } from '#portal/kit/ask.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type LinkedKind, LinkedPage } from './linked-page.tsx'

const loadView = () => import('./policy-view.tsx')
const PolicyView = lazy(() => loadView().then(({ PolicyView }) => ({ default: PolicyView })))

/** In the language of the offer or policy. */
const kind: LinkedKind<ClientPolicy> = {
  read: (token, signal) => ask(clientPolicy, { token }, { signal }),
  localeOf: ({ offer, locale }) => offer?.locale ?? locale,
  loadView,
  Dead: FindForm,
}

/** A policy for its client. */
export function MyPolicyPage() {
  const { words } = useWords()
  return (
    <LinkedPage title={words('client.title')} kind={kind}>
      {(policy, token, reload) => <PolicyView key={token} token={token} policy={policy} reload={() => void reload()} />}
    </LinkedPage>
  )
}

/** Emails the link of a policy to the policyholder. The response reveals nothing about the policy. */
function FindForm({ isDead }: { isDead: boolean }) {
  const { words } = useWords()
  const [isSent, setIsSent] = useState(false)
  const birth = useBirthDate()
  const { busy, failure, submit } = useSubmit(async ({ number = '', docNumber = '', birthDate = '' }) => {
    if (!birth.check()) return
    await ask(clientFind, { number, docNumber, birthDate })
    setIsSent(true)
  })
  return (
    <SheetPage forClient title={words('client.find_title')}>
      <output className="grid gap-2 text-quiet">
        {isDead && !isSent && <span className="font-semibold text-ink">{words('client.find_dead')}</span>}
        {words(isSent ? 'client.find_sent' : 'client.find_intro')}
      </output>
      {!isSent && (
        <form onSubmit={submit} className="grid gap-4">
          <TextField label={words('client.number')} name="number" autoComplete="off" maxLength={60} required />
          <TextField label={words('client.find_document')} name="docNumber" autoComplete="off" maxLength={60} required />
          <TextField {...birth.field} label={words('client.find_birth')} name="birthDate" autoComplete="bday" required />
          <FormError text={failure.message} />
          <Button type="submit" busy={busy}>
            {words('client.find_send')}
          </Button>
        </form>
      )}
    </SheetPage>
  )
}

/** Reads a birth date typed as everywhere in the portal. The page loads no calendar, in which a birth date is hard to find. */
function useBirthDate() {
  const { words } = useWords()
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const check = (): boolean => {
    const isDate = readDate(text) !== undefined
    setIsWrong(!isDate)
    if (!isDate) document.querySelector<HTMLInputElement>('[name=birthDate]')?.focus()
    return isDate
  }
  return {
    check,
    field: {
      inputMode: 'numeric',
      placeholder: words('ui.date.format'),
      value: text,
      error: isWrong ? words('client.find_birth_wrong') : undefined,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setText(typedDate(text, target.value)),
      onBlur: () => setIsWrong(text !== '' && readDate(text) === undefined),
    } as const,
  }
}
