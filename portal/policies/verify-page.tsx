import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import type { Reply } from '#common/kit/call.ts'
import { type Validity, verifyPolicy } from '#common/policies/verify-calls.ts'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { ask } from '#portal/kit/ask.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { SheetPage } from '#portal/kit/ui/sheet-page.tsx'

const route = getRouteApi('/verify')
type Typed = { number: string; code: string }

/** For whoever has a certificate in hand. Its picture leads here with number and code: then the answer is there at once. */
export function VerifyPage() {
  const { words } = useWords()
  const { number = '', code = '' } = route.useSearch()
  const { answer, failure, busy, confirm } = useConfirm()
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- what the address asks is asked, and said to be under way
    if (number && code) void confirm({ number, code })
  }, [confirm, number, code])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void confirm(Object.fromEntries(new FormData(event.currentTarget)) as Typed)
  }
  return (
    <SheetPage title={words('documents.verify')}>
      <p className="text-quiet">{words('documents.verify.intro')}</p>
      <form onSubmit={submit} className="grid gap-4">
        <TextField label={words('documents.number')} name="number" defaultValue={number} autoComplete="off" maxLength={60} required />
        <TextField label={words('documents.check.code')} name="code" defaultValue={code} autoComplete="off" maxLength={60} required />
        <Button type="submit" busy={busy}>
          {words('documents.verify.submit')}
        </Button>
      </form>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {failure ? errorMessage(failure, words) : null}
      </p>
      <div role="status" className="empty:hidden">
        {answer && <Answer {...answer} />}
      </div>
    </SheetPage>
  )
}

function useConfirm() {
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Reply<typeof verifyPolicy>>()
  const [failure, setFailure] = useState<unknown>()
  const confirm = useCallback(async (typed: Typed) => {
    setBusy(true)
    setAnswer(undefined)
    setFailure(undefined)
    await ask(verifyPolicy, typed).then(setAnswer, setFailure)
    setBusy(false)
  }, [])
  return { answer, failure, busy, confirm }
}

function Answer({ number, validity }: { number: string; validity: Validity }) {
  const { words } = useWords()
  const answers = {
    valid: words('documents.verify.valid', { number }),
    upcoming: words('documents.verify.upcoming', { number }),
    ended: words('documents.verify.ended', { number }),
    cancelled: words('documents.verify.cancelled', { number }),
    unknown: words('documents.verify.unknown'),
  } satisfies Record<Validity, string>
  const isGood = validity === 'valid' || validity === 'upcoming'
  return (
    <p className={`flex gap-3 rounded-lg border p-4 ${isGood ? 'border-success text-success' : 'border-danger text-danger'}`}>
      <Icon name={isGood ? 'check-circle' : 'alert-triangle'} className="mt-0.5 size-5 shrink-0" />
      <span className="text-ink">{answers[validity]}</span>
    </p>
  )
}
