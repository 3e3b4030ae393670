import { create } from 'zustand'
import { fileEndings } from '#common/kit/files.ts'
import { usersMe } from '#common/session/calls.ts'
import { dropTicketFile, uploadTicketFile } from '#common/tickets/calls.ts'
import { mostFiles } from '#common/tickets/ticket.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { useConnection } from '#portal/kit/connection.ts'
import { logOnly } from '#portal/kit/log.ts'
import { onReset } from '#portal/kit/stores.ts'
import { upload } from './upload.ts'

/** A file on its way, or there: then it has a uuid, and outlives a reload with the draft. */
export type Brought = {
  id: string
  name: string
  size: number
  mediaType: string
  state: 'waiting' | 'sending' | 'paused' | 'refused' | 'there'
  /** From 0 to 1. */
  share: number
  uuid?: string
  /** Why it was refused, in words. */
  reason?: string
  /** Shown before the service has it. */
  preview?: string
}

/** What a draft keeps of its files. */
export type KeptFile = Pick<Brought, 'name' | 'size' | 'mediaType'> & { uuid: string }

/** The files of one draft or message, under its name. */
const useUploads = create<Record<string, readonly Brought[]>>()(() => ({}))

const none: readonly Brought[] = []
export const uploadsOf = (name: string): readonly Brought[] => useUploads.getState()[name] ?? none
export const useUploadsOf = (name: string): readonly Brought[] => useUploads(all => all[name] ?? none)

/** The bytes, and what stops their sending; no store holds them, since no reload could. */
const held = new Map<string, { file: File; stop: AbortController }>()

const mostAtOnce = 2
const retryMs = 4000

export function bring(name: string, files: readonly File[]): void {
  const room = mostFiles - uploadsOf(name).length
  const fresh = files.slice(0, Math.max(0, room)).map((file): Brought => {
    const id = crypto.randomUUID()
    held.set(id, { file, stop: new AbortController() })
    const preview = /^image\/(?:png|jpeg)$/.test(file.type) ? { preview: URL.createObjectURL(file) } : {}
    return { id, name: file.name, size: file.size, mediaType: file.type, state: 'waiting', share: 0, ...preview }
  })
  change(name, all => [...all, ...fresh])
  sendNext(name)
}

/** What a draft had before a reload. */
export function takeUp(name: string, files: readonly KeptFile[]): void {
  if (files.length === 0 || uploadsOf(name).length > 0) return
  change(name, () => files.map(file => ({ ...file, id: file.uuid, state: 'there', share: 1 })))
}

export const keptFiles = (name: string): KeptFile[] =>
  uploadsOf(name).flatMap(({ uuid, name, size, mediaType }) => (uuid ? [{ uuid, name, size, mediaType }] : []))

/** They belong to a ticket now: nothing of them is left here. */
export function forget(name: string): void {
  for (const file of uploadsOf(name)) letGo(file)
  useUploads.setState({ [name]: none })
}

/** A draft is given up: the service need not keep its files until they are forgotten. */
export function discard(name: string, files: readonly KeptFile[]): void {
  forget(name)
  for (const { uuid } of files) void ask(dropTicketFile, { fileUuid: uuid }).catch(logOnly('letting go of a file'))
}

export function remove(name: string, file: Brought): void {
  letGo(file)
  change(name, all => all.filter(({ id }) => id !== file.id))
  if (file.uuid) void ask(dropTicketFile, { fileUuid: file.uuid }).catch(logOnly('letting go of a file'))
  sendNext(name)
}

/** Tried again, by hand or because the line is back. */
export function resume(name: string): void {
  change(name, all => all.map(file => (file.state === 'paused' ? { ...file, state: 'waiting', share: 0 } : file)))
  sendNext(name)
}

function letGo({ id, preview }: Brought): void {
  held.get(id)?.stop.abort()
  held.delete(id)
  if (preview) URL.revokeObjectURL(preview)
}

const change = (name: string, how: (files: readonly Brought[]) => readonly Brought[]): void =>
  useUploads.setState(all => ({ [name]: how(all[name] ?? none) }))

const set = (name: string, id: string, now: Partial<Brought>): void =>
  change(name, all => all.map(file => (file.id === id ? { ...file, ...now } : file)))

function sendNext(name: string): void {
  const files = uploadsOf(name)
  const free = mostAtOnce - files.filter(({ state }) => state === 'sending').length
  for (const file of files.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) void send(name, file)
}

async function send(name: string, { id }: Brought): Promise<void> {
  const bytes = held.get(id)
  if (!bytes) return
  set(name, id, { state: 'sending', share: 0 })
  try {
    // The same key at every try: what had arrived before the answer was lost is not kept twice.
    const onProgress = (share: number) => set(name, id, { share })
    const { uuid, ...kept } = await upload(uploadTicketFile, bytes.file, { key: id, signal: bytes.stop.signal, onProgress })
    held.delete(id)
    set(name, id, { ...kept, uuid, state: 'there', share: 1 })
  } catch (error) {
    if (!bytes.stop.signal.aborted) failed(name, id, error)
  }
  sendNext(name)
}

/** What the service says no to stays so; a line that is lost, or a service that is busy, is waited for. */
function failed(name: string, id: string, error: unknown): void {
  const code = error instanceof Refused ? error.failure.code : 0
  if (error instanceof Refused && ![401, 409, 429, 503].includes(code)) {
    const reason = error.failure.fields?.[0]?.message ?? error.message
    return set(name, id, { state: 'refused', reason })
  }
  set(name, id, { state: 'paused', share: 0 })
  // The question that notices an ended session asks for a sign-in, and then all goes on.
  if (code === 401) void ask(usersMe, {}).then(() => resume(name), logOnly('signing in again'))
  else window.setTimeout(() => navigator.onLine && resume(name), retryMs)
}

const resumeAll = (): void => Object.keys(useUploads.getState()).forEach(resume)
window.addEventListener('online', resumeAll)
useConnection.subscribe((now, before) => {
  if (now.online && !before.online) resumeAll()
})

onReset(() => Object.keys(useUploads.getState()).forEach(forget))

/** Why a form with these files cannot be sent yet. */
export const isUnfinished = (name: string): boolean => uploadsOf(name).some(({ state }) => state !== 'there')

export const takenEndings: readonly string[] = fileEndings
