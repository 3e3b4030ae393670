import { useNavigate } from '@tanstack/react-router'
import { accountingQuery } from '#common/accounting/calls.ts'
import { longestQuestion } from '#common/accounting/book.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { BoundTextArea } from '#portal/kit/form/bound.tsx'
import { useIdempotencyKey } from '#portal/kit/form/idempotency-key.ts'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { queries } from '#portal/kit/queries.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Entry, Line } from '../use-accounting.ts'

export type QuestionProps = { entry: Entry | Line; currency: string; onClose: () => void }

/** Long enough to read the reference and open the request. */
const toastMs = 10_000

/** Sends a question about a movement to customer service, and offers to open the resulting request. */
export function QuestionDialog({ entry, currency, onClose }: QuestionProps) {
  const { words } = useWords()
  const { money, moment } = useFormat()
  const navigate = useNavigate()
  const once = useIdempotencyKey()
  const form = useRulesForm({
    defaultValues: { text: '' },
    rules: ({ text }) => (text.trim() === '' ? [{ path: 'text', rule: 'required', key: 'validation.required' }] : []),
    send: async ({ text }) => {
      const request = { entryUuid: entry.uuid, text: text.trim() }
      const { ticketUuid, reference } = await once(request, idempotencyKey => ask(accountingQuery, request, { idempotencyKey }))
      await queries.invalidateQueries({ queryKey: ['tickets'] })
      onClose()
      showToast({
        severity: 'success',
        summary: words('accounting.ask_sent', { reference }),
        life: toastMs,
        action: {
          label: words('accounting.ask_open'),
          run: () => void navigate({ to: '/customer-service', search: { ticket: ticketUuid } }),
        },
      })
    },
  })
  const kind = words('accounting.kind', { kind: entry.kind })
  return (
    <Dialog
      open
      onClose={onClose}
      busy={form.busy}
      size="small"
      title={words('accounting.ask_of', { kind, policy: entry.policyNumber })}
      description={words('accounting.ask_hint')}
      actions={
        <>
          <Button look="quiet" aria-disabled={form.busy} onClick={() => form.busy || onClose()}>
            {words('ui.cancel')}
          </Button>
          <Button type="submit" form={form.id} busy={form.busy}>
            {words('accounting.ask_send')}
          </Button>
        </>
      }
    >
      <p className="text-quiet">
        {[
          moment(entry.at),
          money(entry.gross, currency),
          words('accounting.commission_of', { amount: money(entry.commission, currency) }),
        ].join(' · ')}
      </p>
      <RulesForm form={form} className="grid gap-(--gap)">
        <BoundTextArea name="text" label={words('accounting.ask_text')} required maxLength={longestQuestion} />
      </RulesForm>
    </Dialog>
  )
}
