import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { ResponseOf } from '#common/kit/call.ts'
import { displayDate } from '#common/kit/dates.ts'
import { type Validity, verifyPolicy } from '#common/policies/verify-calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { TextField } from '#portal/kit/field/text-field.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { SheetPage } from '#portal/kit/page/sheet-page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'

const route = getRouteApi('/verify')

/** Checks a certificate by its number and code. The QR code on it links here with both, and the check runs at once. */
export function VerifyPage() {
  const { words } = useWords()
  const { number = '', code = '' } = route.useSearch()
  const [result, setResult] = useState<ResponseOf<typeof verifyPolicy>>()
  const form = useRef<HTMLFormElement>(null)
  const { busy, failure, submit } = useSubmit(async ({ number = '', code = '' }) => {
    setResult(undefined)
    setResult(await ask(verifyPolicy, { number, code }))
  })
  useEffect(() => {
    if (number && code) form.current?.requestSubmit()
  }, [number, code])
  return (
    <SheetPage forClient title={words('verify.title')}>
      <p className="text-quiet">{words('verify.intro')}</p>
      <form ref={form} onSubmit={submit} className="grid gap-4">
        <TextField label={words('verify.number')} name="number" defaultValue={number} autoComplete="off" maxLength={60} required />
        <TextField label={words('verify.code')} name="code" defaultValue={code} autoComplete="off" maxLength={60} required />
        <Button type="submit" busy={busy}>
          {words('verify.submit')}
        </Button>
      </form>
      <FormError text={failure.message} />
      <div role="status" className="empty:hidden">
        {result && <Result {...result} />}
      </div>
      <Link
        to="/my-policy"
        className="inline-flex min-h-(--control) items-center justify-self-center text-sm text-quiet underline underline-offset-4"
      >
        {words('verify.my_policy')}
      </Link>
    </SheetPage>
  )
}

function Result({ number, agency, validity, holds }: ResponseOf<typeof verifyPolicy>) {
  const { words } = useWords()
  const messages = {
    valid: words('verify.valid', { number }),
    upcoming: words('verify.upcoming', { number }),
    ended: words('verify.ended', { number }),
    cancelled: words('verify.cancelled', { number }),
    replaced: words('verify.replaced', { number, version: holds?.version ?? 0, since: displayDate(holds?.since) ?? '' }),
    unknown: words('verify.unknown'),
  } satisfies Record<Validity, string>
  const isGood = validity === 'valid' || validity === 'upcoming'
  return (
    <p className={`flex gap-3 rounded-lg p-3 ${isGood ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger'}`}>
      <Icon name={isGood ? 'check-circle' : 'alert-triangle'} className="mt-0.5 size-5 shrink-0" />
      <span className="text-ink">
        {messages[validity]} {agency && words('verify.agency', { agency })}
      </span>
    </p>
  )
}
