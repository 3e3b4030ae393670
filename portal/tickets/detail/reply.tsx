import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { sendTicketMessage } from '#common/tickets/calls.ts'
import { longest, messageProblems } from '#common/tickets/ticket.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { BoundTextArea } from '#portal/kit/form/bound.tsx'
import { Bound, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { useUnsaved } from '#portal/kit/form/use-unsaved.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { Attachments } from '#portal/documents/upload/attachments.tsx'
import { ticketUploads } from '../files/uploads.ts'
import { ticketsChanged } from '../use-tickets.ts'

const { forget, isUnfinished, keptFiles } = ticketUploads

/** Sends a message on a ticket. The other side gets an email. Its button is in the panel's footer, which would cover it. */
export function Reply({ ticketUuid, foot }: { ticketUuid: string; foot: HTMLElement | null }) {
  const { words } = useWords()
  const name = `reply ${ticketUuid}`
  const key = useRef(crypto.randomUUID())
  const form = useRulesForm<{ text: string }>({
    defaultValues: { text: '' },
    rules: ({ text }) => [
      ...messageProblems(text),
      ...(isUnfinished(name) ? [{ path: 'files', rule: 'files', key: 'upload.unfinished' }] : []),
    ],
    send: async ({ text }) => {
      const fileUuids = keptFiles(name).map(({ uuid }) => uuid)
      try {
        await ask(sendTicketMessage, { uuid: ticketUuid, text, fileUuids }, { idempotencyKey: key.current })
      } catch (error) {
        if (error instanceof Refused) key.current = crypto.randomUUID()
        throw error
      }
      key.current = crypto.randomUUID()
      form.reset()
      forget(name)
      showToast({ severity: 'success', summary: words('tickets.message_sent') })
      await ticketsChanged()
    },
  })
  useEffect(() => () => forget(name), [name])
  useUnsaved(form.watch('text').trim() !== '')
  return (
    <RulesForm form={form} className="grid gap-3">
      <BoundTextArea label={words('tickets.your_message')} name="text" required rows={4} maxLength={longest.message} />
      <Bound name="files" label={words('tickets.files')}>
        {({ error }) => <Attachments uploads={ticketUploads} name={name} label={words('tickets.add_files')} error={error} />}
      </Bound>
      {foot &&
        createPortal(
          <Button type="submit" form={form.id} icon="mail" busy={form.busy}>
            {words('tickets.send_message')}
          </Button>,
          foot,
        )}
    </RulesForm>
  )
}
