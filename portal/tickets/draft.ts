import type { TicketKind } from '#common/products/tickets.ts'
import { openStore } from '#portal/kit/stores.ts'
import type { KeptFile } from '#portal/documents/upload/uploads.ts'
import type { TicketForm } from './form/values.ts'

/** A ticket that is being written. Its idempotency key makes it one ticket, however often it is sent. */
export type Draft = { form: TicketForm; files: KeptFile[]; key: string }

type Drafts = { [kind in TicketKind]: Draft | undefined }

/** The drafts survive a reload, but not a sign-out (spec 4). */
export const useDrafts = openStore<Drafts>('tickets', { claim: undefined, request: undefined })

export function keepDraft(kind: TicketKind, change: Partial<Draft> & Pick<Draft, 'form'>): void {
  const before = useDrafts.getState()[kind]
  useDrafts.setState({ [kind]: { files: [], key: crypto.randomUUID(), ...before, ...change } })
}

export const dropDraft = (kind: TicketKind): void => useDrafts.setState({ [kind]: undefined })

export const isBegun = (draft: Draft | undefined): draft is Draft =>
  draft !== undefined && (draft.form.typeUuid !== '' || draft.files.length > 0)

export const isAboutAnother = (draft: Draft | undefined, policyUuid: string): boolean =>
  isBegun(draft) && draft.form.policyUuid !== policyUuid
