import { createStore, useStore } from 'zustand'
import type { AnyCall, FailureEnvelope, ResponseOf } from '#common/kit/call.ts'
import { fileEndings } from '#common/kit/files.ts'
import { usersMe } from '#common/session/calls.ts'
import { ask, headersOf, Refused, Unreachable } from '#portal/kit/ask.ts'
import { useConnection } from '#portal/kit/connection.ts'
import { logOnly } from '#portal/kit/log.ts'
import { onReset } from '#portal/kit/stores.ts'
import { canShow } from './shown.ts'

/** A file of a form. Once uploaded it has a uuid, and is kept with the form over a reload. */
export type Upload = {
  id: string
  name: string
  size: number
  mediaType: string
  state: 'waiting' | 'sending' | 'paused' | 'refused' | 'there'
  /** From 0 to 1. */
  share: number
  uuid?: string
  /** The service's message, if the file was refused. */
  reason?: string
  /** The URL of a preview by the browser, until the upload is done. */
  preview?: string
}

/** A file as a form stores it. */
export type KeptFile = Pick<Upload, 'name' | 'size' | 'mediaType'> & { uuid: string }

/** The calls that store and delete a file, and the maximum number of files in a form. */
type Destination = {
  put: (file: File, options: UploadOptions) => Promise<KeptFile>
  drop: (fileUuid: string) => Promise<unknown>
  most: number
}

export type Uploads = ReturnType<typeof openUploads>

const none: readonly Upload[] = []
const maxAtOnce = 2
const retryMs = 4000

/** Opens the uploads of all forms with one destination. Each form's files are stored under its name. */
export function openUploads({ put, drop, most }: Destination) {
  const store = createStore<Record<string, readonly Upload[]>>()(() => ({}))
  const uploadsOf = (name: string): readonly Upload[] => store.getState()[name] ?? none

  /** The files that are not uploaded yet, each with its abort controller. They are in memory only, as no store could keep them over a reload. */
  const pending = new Map<string, { file: File; stop: AbortController }>()

  /** A refused file does not count, and is removed when others are chosen. */
  const roomIn = (name: string): number => Math.max(0, most - uploadsOf(name).filter(({ state }) => state !== 'refused').length)

  function addFiles(name: string, files: readonly File[]): void {
    const free = roomIn(name)
    for (const file of uploadsOf(name)) if (file.state === 'refused' && files.length > 0) remove(name, file)
    const added = files.slice(0, free).map((file): Upload => {
      const id = crypto.randomUUID()
      pending.set(id, { file, stop: new AbortController() })
      const preview = canShow(file.type) ? { preview: URL.createObjectURL(file) } : {}
      return { id, name: file.name, size: file.size, mediaType: file.type, state: 'waiting', share: 0, ...preview }
    })
    change(name, all => [...all, ...added])
    sendNext(name)
  }

  /** Restores the files of a stored form after a reload. */
  function restoreFiles(name: string, files: readonly KeptFile[]): void {
    if (files.length === 0 || uploadsOf(name).length > 0) return
    change(name, () => files.map(file => ({ ...file, id: file.uuid, state: 'there', share: 1 })))
  }

  const keptFiles = (name: string): KeptFile[] =>
    uploadsOf(name).flatMap(({ uuid, name, size, mediaType }) => (uuid ? [{ uuid, name, size, mediaType }] : []))

  /** Forgets the files, which now belong to the sent form. */
  function forget(name: string): void {
    for (const file of uploadsOf(name)) release(file)
    store.setState({ [name]: none })
  }

  /** Forgets the files of a discarded form, and deletes them from the service at once. */
  function discard(name: string, files: readonly KeptFile[]): void {
    forget(name)
    for (const { uuid } of files) void drop(uuid).catch(logOnly('dropping a file'))
  }

  function remove(name: string, file: Upload): void {
    release(file)
    change(name, all => all.filter(({ id }) => id !== file.id))
    if (file.uuid) void drop(file.uuid).catch(logOnly('dropping a file'))
  }

  /** Resumes paused uploads, on demand or when the connection is back. */
  function resume(name: string): void {
    change(name, all => all.map(file => (file.state === 'paused' ? { ...file, state: 'waiting', share: 0 } : file)))
    sendNext(name)
  }

  function release({ id, preview }: Upload): void {
    pending.get(id)?.stop.abort()
    pending.delete(id)
    if (preview) URL.revokeObjectURL(preview)
  }

  const change = (name: string, update: (files: readonly Upload[]) => readonly Upload[]): void =>
    store.setState(all => ({ [name]: update(all[name] ?? none) }))

  const set = (name: string, id: string, now: Partial<Upload>): void =>
    change(name, all => all.map(file => (file.id === id ? { ...file, ...now } : file)))

  function sendNext(name: string): void {
    const files = uploadsOf(name)
    const free = maxAtOnce - files.filter(({ state }) => state === 'sending').length
    for (const file of files.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) void send(name, file)
  }

  async function send(name: string, { id }: Upload): Promise<void> {
    const bytes = pending.get(id)
    if (!bytes) return
    set(name, id, { state: 'sending', share: 0 })
    try {
      // Each attempt has the same key, so a file that arrived is not stored twice if its response was lost.
      const onProgress = (share: number) => set(name, id, { share })
      const { uuid, ...kept } = await put(bytes.file, { key: id, signal: bytes.stop.signal, onProgress })
      pending.delete(id)
      set(name, id, { ...kept, uuid, state: 'there', share: 1 })
    } catch (error) {
      if (!bytes.stop.signal.aborted) failed(name, id, error)
    }
    sendNext(name)
  }

  /** A refusal is final. After a lost connection or a busy service the upload pauses and is retried. */
  function failed(name: string, id: string, error: unknown): void {
    const code = error instanceof Refused ? error.failure.code : 0
    if (error instanceof Refused && ![401, 409, 429, 503].includes(code)) {
      const reason = error.failure.fields?.[0]?.message ?? error.message
      return set(name, id, { state: 'refused', reason })
    }
    set(name, id, { state: 'paused', share: 0 })
    // This request opens the sign-in if the session has ended. The upload resumes after it.
    if (code === 401) void ask(usersMe, {}).then(() => resume(name), logOnly('signing in again'))
    else window.setTimeout(() => navigator.onLine && resume(name), retryMs)
  }

  const resumeAll = (): void => Object.keys(store.getState()).forEach(resume)
  window.addEventListener('online', resumeAll)
  useConnection.subscribe((now, before) => {
    if (now.online && !before.online) resumeAll()
  })

  onReset(() => Object.keys(store.getState()).forEach(forget))

  /** True if some file is not uploaded yet, so that the form cannot be sent. */
  const isUnfinished = (name: string): boolean => uploadsOf(name).some(({ state }) => state !== 'there')

  return {
    store,
    most,
    roomIn,
    uploadsOf,
    addFiles,
    restoreFiles,
    keptFiles,
    forget,
    discard,
    remove,
    resume,
    isUnfinished,
  }
}

export const useUploadsOf = ({ store }: Uploads, name: string): readonly Upload[] => useStore(store, all => all[name] ?? none)

export const acceptedEndings: readonly string[] = fileEndings

type UploadOptions = { key: string; signal: AbortSignal; onProgress: (share: number) => void }

/** Uploads one file and reports its progress, which `fetch` cannot. The caller retries. */
export function upload<C extends AnyCall>(call: C, file: File, { key, signal, onProgress }: UploadOptions): Promise<ResponseOf<C>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const form = new FormData()
    form.append('files', file, file.name)
    request.open(call.method, call.path)
    for (const [name, value] of Object.entries(headersOf(call, key))) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('load', () => {
      const envelope = parse<ResponseOf<C>>(request.responseText)
      if (!envelope) reject(new Unreachable())
      else if (isDone(envelope)) resolve(envelope.data)
      else reject(new Refused(envelope))
    })
    for (const event of ['error', 'timeout', 'abort']) request.addEventListener(event, () => reject(new Unreachable()))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

type Done<Data> = { code: 200; data: Data }

const isDone = <Data>(envelope: Done<Data> | FailureEnvelope): envelope is Done<Data> => envelope.code === 200

function parse<Data>(text: string): Done<Data> | FailureEnvelope | undefined {
  try {
    // Safe: the service's responses are envelopes. Text that is not JSON throws.
    return JSON.parse(text) as Done<Data> | FailureEnvelope
  } catch {
    return undefined
  }
}
