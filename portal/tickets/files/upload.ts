import type { AnyCall, Reply } from '#common/kit/call.ts'
import type { FailureEnvelope } from '#common/kit/call.ts'
import { headersOf, Refused, Unreachable } from '#portal/kit/ask.ts'

type Options = { key: string; signal: AbortSignal; onProgress: (share: number) => void }

/** Sends one file as a form, and tells how far it is: the one thing that `fetch` cannot. Once; trying again is the caller's business. */
export function upload<C extends AnyCall>(call: C, file: File, { key, signal, onProgress }: Options): Promise<Reply<C>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const form = new FormData()
    form.append('files', file, file.name)
    request.open(call.method, call.path)
    for (const [name, value] of Object.entries(headersOf(call, key))) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('load', () => {
      const envelope = read<Reply<C>>(request.responseText)
      if (!envelope) reject(new Unreachable())
      else if (envelope.code === 200) resolve((envelope as Done<Reply<C>>).data)
      else reject(new Refused(envelope as FailureEnvelope))
    })
    for (const gone of ['error', 'timeout', 'abort']) request.addEventListener(gone, () => reject(new Unreachable()))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

type Done<Data> = { code: 200; data: Data }

function read<Data>(text: string): Done<Data> | FailureEnvelope | undefined {
  try {
    return JSON.parse(text) as Done<Data> | FailureEnvelope
  } catch {
    return undefined
  }
}
