import { useEffect, useRef, useState } from 'react'
import { readDate } from '#common/kit/dates.ts'
import type { TicketKind } from '#common/products/tickets.ts'
import { fileClaim, fileRequest } from '#common/tickets/calls.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { BoundRadioCards } from '#portal/kit/form/bound-more.tsx'
import { focusFirstField } from '#portal/kit/form/focus.ts'
import { Bound, ErrorSummary, RulesForm } from '#portal/kit/form/rules-form.tsx'
import { type RulesForm as Rules, useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { refusedFields } from '#portal/kit/errors/error-message.ts'
import { showAlert } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { iconOf } from '#portal/kit/ui/icon.tsx'
import { useWords, type Words } from '#portal/kit/words.tsx'
import { useProducts } from '#portal/products/store.ts'
import { useUser } from '#portal/session/session.ts'
import { type Draft, dropDraft, keepDraft, useDrafts } from '../draft.ts'
import { Attachments } from '#portal/documents/upload/attachments.tsx'
import { useUploadsOf } from '#portal/documents/upload/uploads.ts'
import { ticketUploads } from '../files/uploads.ts'
import { type Form, ticketsChanged } from '../use-tickets.ts'
import { travellersOf } from './from-policy.ts'
import { loadPolicy, PolicyField } from './policy-field.tsx'
import { TicketFields } from './ticket-fields.tsx'
import { usePolicyOf } from './use-policy-of.ts'
import { answersFor, emptyForm, ticketFormProblems, sentAnswers, type TicketForm, withAnswers, withType } from './values.ts'

const { forget, isUnfinished, keptFiles, restoreFiles } = ticketUploads

export type Filed = { ticketUuid: string; reference: string; email: string }

type Props = {
  kind: TicketKind
  forms: readonly Form[]
  /** The policy from which the user came, if any. */
  policyUuid: string | undefined
  /** The key of the type that is chosen at first. */
  typeKey: string | undefined
  onFiled: (filed: Filed) => void
  onCancel: () => void
  /** Called when the user chooses a type, so that the requested one no longer counts. */
  onType: () => void
}

/** The form of a claim or request: its policy, its type, then the fields of that type. It survives a reload. */
export function WriteTicket({ kind, forms, policyUuid, typeKey, onFiled, onCancel, onType }: Props) {
  const { words } = useWords()
  const user = useUser()
  const { configuration, contactInfo } = useUnit()
  const products = useProducts(({ products }) => products)
  const [draft] = useState(() => draftOf(kind))
  const done = useRef(false)
  const typeOf = (form: Pick<TicketForm, 'typeUuid'>) => forms.find(({ uuid }) => uuid === form.typeUuid)
  const startForm = draft?.form ?? {
    ...emptyForm,
    ...(kind === 'request' ? { contactEmail: user.email, contactPhone: contactInfo.phone } : {}),
  }
  const form = useRulesForm<TicketForm>({
    defaultValues: withAnswers(withType(startForm, forms, typeKey), forms),
    rules: values => [
      ...ticketFormProblems(typeOf(values), values, {
        today: todayInUnit(),
        countries: configuration.countriesList,
        travellers: policy ? travellersOf(policy) : [],
      }),
      ...(isUnfinished(kind) ? [{ path: 'files', rule: 'files', key: 'upload.unfinished' }] : []),
    ],
    send: async values => {
      const filed = await fileUnlessOutside(kind, typeOf(values), values, words)
      if (!filed) return
      done.current = true
      forget(kind)
      dropDraft(kind)
      void ticketsChanged()
      onFiled({ ...filed, email: values.contactEmail })
    },
  })
  useDraft(kind, form, done)

  const { policy, fillFrom } = usePolicyOf(form)
  useEffect(() => {
    const uuid = policyUuid ?? form.getValues('policyUuid')
    if (!uuid) return focusFirstField()
    const before = form.getValues('policyNumber')
    void loadPolicy(uuid).then(detail => {
      if (detail?.policy.policyNumber && form.getValues('policyNumber') === before) fillFrom(detail)
      // Once the policy is filled in, the first open question is another one.
      setTimeout(() => document.activeElement === document.body && focusFirstField())
    })
    // oxlint-disable-next-line react/exhaustive-deps -- the form is filled once, when it opens
  }, [])

  const type = typeOf({ typeUuid: form.watch('typeUuid') })
  const product = products.find(({ uuid }) => uuid === policy?.policy.productUuid)
  // The types depend on what the policy covers; one chosen before is kept, and questioned.
  const offered = forms.filter(each => each === type || !product || !each.coveredBy || each.coveredBy.includes(product.code))
  return (
    <RulesForm form={form} className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-(--card)">
      <ErrorSummary />
      <Card>
        <PolicyField required={kind === 'claim' || type?.policy === 'needed'} policy={policy} onPolicy={fillFrom} />
      </Card>
      <Card>
        <BoundRadioCards
          label={words(kind === 'claim' ? 'tickets.what_claim' : 'tickets.what_request')}
          name="typeUuid"
          required
          options={offered.map(({ uuid, name, description, icon }) => ({
            value: uuid,
            label: name,
            detail: description,
            icon: iconOf(icon),
          }))}
          onChanged={uuid => {
            form.setValue('answers', answersFor(typeOf({ typeUuid: uuid }), form.getValues('answers')))
            onType()
          }}
        />
      </Card>
      {type && <TicketFields form={form} type={type} policy={policy} />}
      {type && <Files type={type} />}
      <div
        data-foot
        className="flex flex-wrap justify-end gap-2 max-sm:sticky max-sm:bottom-0 max-sm:z-10 max-sm:-mx-4 max-sm:border-t max-sm:border-line max-sm:bg-page max-sm:px-4 max-sm:py-3 max-sm:*:flex-1"
      >
        <Button look="quiet" aria-disabled={form.busy} onClick={() => form.busy || onCancel()}>
          {words('ui.cancel')}
        </Button>
        <Button type="submit" icon="arrow-right" busy={form.busy}>
          {words(kind === 'claim' ? 'tickets.send_claim' : 'tickets.send_request')}
        </Button>
      </div>
    </RulesForm>
  )
}

/** Returns the stored draft, and restores its files before the form shows them. */
function draftOf(kind: TicketKind): Draft | undefined {
  const draft = useDrafts.getState()[kind]
  if (draft) restoreFiles(kind, draft.files)
  return draft
}

/** Stores every change to the form and its files, until the ticket is sent. */
function useDraft(kind: TicketKind, form: Rules<TicketForm>, done: { current: boolean }): void {
  const files = useUploadsOf(ticketUploads, kind)
  useEffect(() => {
    // Safe: every field of the form has a value (withAnswers).
    const keep = (values: unknown) => !done.current && keepDraft(kind, { form: values as TicketForm })
    const { unsubscribe } = form.watch(keep)
    return unsubscribe
  }, [kind, form, done])
  useEffect(() => {
    // Safe: `files` has errors but is not a field of the form's type.
    if (!isUnfinished(kind)) form.clearErrors('files' as never)
    const begun = files.length > 0 || useDrafts.getState()[kind] !== undefined
    if (begun && !done.current) keepDraft(kind, { form: form.getValues(), files: keptFiles(kind) })
  }, [kind, form, files, done])
}

/** Files a ticket. An incident that seems to be outside the cover is filed only if the agent confirms. */
async function fileUnlessOutside(kind: TicketKind, type: Form | undefined, values: TicketForm, words: Words) {
  try {
    return await file(kind, type, values, { refuseOutsideCover: true })
  } catch (error) {
    const fields = refusedFields(error)
    if (fields.length === 0 || fields.some(({ rule }) => rule !== 'cover')) throw error
    const isConfirmed = await showAlert({
      mode: 'confirm',
      title: words('tickets.outside_title'),
      description: [...fields.map(({ message }) => message), words('tickets.outside_hint')].join('\n'),
      buttonTitle: words('tickets.outside_confirm'),
    })
    return isConfirmed ? file(kind, type, values, {}) : undefined
  }
}

type ClaimOptions = { refuseOutsideCover?: boolean }
type FiledTicket = { ticketUuid: string; reference: string }

async function file(kind: TicketKind, type: Form | undefined, values: TicketForm, claimOptions: ClaimOptions): Promise<FiledTicket> {
  const { subject, description, contactEmail, contactPhone, policyNumber, typeUuid } = values
  const files = { fileUuids: keptFiles(kind).map(({ uuid }) => uuid) }
  const common = {
    typeUuid,
    subject,
    description,
    contactEmail,
    contactPhone,
    answers: type ? sentAnswers(type, values.answers) : {},
    ...files,
  }
  const key = useDrafts.getState()[kind]?.key
  const options = key ? { idempotencyKey: key } : {}
  try {
    if (kind === 'request') return await ask(fileRequest, { ...common, policyNumber: policyNumber || null }, options)
    return await ask(fileClaim, { ...common, policyNumber, incidentDate: readDate(values.incidentDate) ?? '', ...claimOptions }, options)
  } catch (error) {
    // A refused ticket was not filed, so the next attempt needs a new key.
    if (error instanceof Refused) keepDraft(kind, { form: values, key: crypto.randomUUID() })
    throw error
  }
}

/** Names the documents to attach, and accepts files. */
function Files({ type }: { type: Form }) {
  const { words } = useWords()
  return (
    <Card title={words('tickets.files')}>
      {type.papers.length > 0 && (
        <div className="grid gap-1 text-sm">
          <p className="text-quiet">{words('tickets.attach')}</p>
          <ul className="grid list-disc gap-0.5 pl-5">
            {type.papers.map(({ name, needed }) => (
              <li key={name}>{needed ? name : words('tickets.attach_if_any', { name })}</li>
            ))}
          </ul>
        </div>
      )}
      <Bound name="files" label={words('tickets.files')}>
        {({ error }) => <Attachments uploads={ticketUploads} name={type.kind} label={words('tickets.add_files')} error={error} />}
      </Bound>
    </Card>
  )
}
