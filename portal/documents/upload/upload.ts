import type { AnyCall, ResponseOf } from '#common/kit/call.ts'
import type { FailureEnvelope } from '#common/kit/call.ts'
import { headersOf, Refused, Unreachable } from '#portal/kit/ask.ts'

export type UploadOptions = { key: string; signal: AbortSignal; onProgress: (share: number) => void }

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
