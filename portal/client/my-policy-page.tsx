import { lazy, useState } from 'react'
import { clientFind, clientPolicy } from '#common/client/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useBirthDate } from './birth-date.ts'
import { LinkedPage } from './linked-page.tsx'

const loadView = () => import('./policy-view.tsx')
const PolicyView = lazy(() => loadView().then(({ PolicyView }) => ({ default: PolicyView })))

/** A policy for its client. */
export function MyPolicyPage() {
  const { words } = useWords()
  return (
    <LinkedPage
      title={words('client.title')}
      ask={(token, signal) => ask(clientPolicy, { token }, { signal })}
      // In the language of the offer or policy.
      localeOf={policy => policy.offer?.locale ?? policy.locale}
      loadView={loadView}
      Dead={FindForm}
    >
      {(policy, token, reload) => <PolicyView key={token} token={token} policy={policy} reload={() => void reload()} />}
    </LinkedPage>
  )
}

/** Emails the link of a policy to the policyholder. The response reveals nothing about the policy. */
function FindForm({ isDead }: { isDead: boolean }) {
  const { words } = useWords()
  const [isSent, setIsSent] = useState(false)
  const birth = useBirthDate('birthDate')
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
          <TextField {...birth.field} label={words('client.find_birth')} autoComplete="bday" required />
          <FormError text={failure.message} />
          <Button type="submit" busy={busy}>
            {words('client.find_send')}
          </Button>
        </form>
      )}
    </SheetPage>
  )
}
