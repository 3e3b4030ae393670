import { useState } from 'react'
import { clientRequest } from '#common/client/calls.ts'
import { longestWish } from '#common/client/wish.ts'
import { ask } from '#portal/kit/ask.ts'
import { TextArea } from '#portal/kit/field/text-field.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { FormError, useSubmit } from '#portal/kit/submit/submit.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { wide } from './frame.tsx'
import { Part, Sheet } from './parts.tsx'

/** Asks the agency for a change. The agency answers by email, so the page promises nothing. */
export function ChangeRequest({ token }: { token: string }) {
  const { words } = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const [reference, setReference] = useState<string>()
  const once = useIdempotencyKey()
  const { busy, failure, submit } = useSubmit(async ({ description = '' }) => {
    const request = { token, description }
    setReference((await once(request, idempotencyKey => ask(clientRequest, request, { idempotencyKey }))).reference)
  })
  if (!isOpen)
    return (
      <Button look="quiet" className={wide} onClick={() => setIsOpen(true)}>
        {words('client.change')}
      </Button>
    )
  return (
    <Part title={words('client.change')} takesFocus>
      <Sheet className="grid gap-4">
        {reference ? (
          <output>{words('client.change_sent', { reference })}</output>
        ) : (
          <form onSubmit={submit} className="grid gap-4">
            <TextArea
              label={words('client.change_label')}
              hint={words('client.change_hint')}
              name="description"
              maxLength={longestWish}
              rows={4}
              error={failure.fields['description']}
              required
            />
            <FormError text={failure.message} />
            <Button type="submit" look="quiet" className={wide} busy={busy}>
              {words('client.change_send')}
            </Button>
          </form>
        )}
      </Sheet>
    </Part>
  )
}
