import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { AwsV4Signer } from 'aws4fetch'
import { type Bucket, readS3Url } from '#server/config/kinds.ts'
import { Outage } from '#server/kit/store/outage.ts'
import { type FileStore, markerName, NoSuchContent } from './store.ts'

/** Opens a bucket of S3's interface, by path-style addresses and signed requests. */
export function openS3(setting: string): FileStore {
  const bucket = readS3Url(setting)
  if (!bucket) throw new TypeError('FILE_STORE is no address of a bucket')
  const send = async (stop: AbortController, method: string, name: string, content?: Buffer, mediaType?: string): Promise<Response> => {
    const url = new URL(`${bucket.origin}${bucket.root}/${name}`)
    const headers: Record<string, string> = mediaType ? { 'content-type': mediaType } : {}
    const signed = await signedHeaders(bucket, { method, url, headers, content: content ?? '', at: new Date() })
    return fetch(url, {
      method,
      headers: signed,
      ...(content ? { body: new Uint8Array(content) } : {}),
      signal: stop.signal,
    }).catch((error: unknown) => {
      throw new Outage('the file store does not answer', { cause: error })
    })
  }
  const store: FileStore = {
    address: `s3://${new URL(bucket.origin).host}${bucket.root}`,
    async put(name, content, mediaType) {
      const stop = new AbortController()
      await withTimeout(stop, async () => throwUnlessOk(await send(stop, 'PUT', name, content, mediaType)))
    },
    async has(name) {
      const stop = new AbortController()
      return withTimeout(stop, async () => {
        const reply = await send(stop, 'HEAD', name)
        if (reply.status !== 404) await throwUnlessOk(reply)
        return reply.ok
      })
    },
    async read(name) {
      const stop = new AbortController()
      const reply = await withTimeout(stop, async () => {
        const reply = await send(stop, 'GET', name)
        if (reply.status === 404) throw new NoSuchContent(name)
        await throwUnlessOk(reply)
        return reply
      })
      return Readable.from(chunksOf(reply, stop), { objectMode: false })
    },
    async remove(name) {
      const stop = new AbortController()
      await withTimeout(stop, async () => {
        const reply = await send(stop, 'DELETE', name)
        if (reply.status !== 404) await throwUnlessOk(reply)
      })
    },
    async marker() {
      const stream = await store.read(markerName).catch((error: unknown) => {
        if (!(error instanceof NoSuchContent)) throw error
        return undefined
      })
      return stream && (await buffer(stream)).toString().trim()
    },
    mark: id => store.put(markerName, Buffer.from(`${id}\n`), 'text/plain'),
  }
  return store
}

const timeoutMs = 20_000

/** Waits for the bucket's answer, or for its next chunk, up to the timeout. */
async function withTimeout<T>(stop: AbortController, wait: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => stop.abort(new Outage('the file store has stopped answering')), timeoutMs)
  try {
    return await wait()
  } finally {
    clearTimeout(timer)
  }
}

/** Streams a file for as long as its reader takes: a large file on a slow connection takes minutes. */
async function* chunksOf({ body, headers }: Response, stop: AbortController): AsyncGenerator<Uint8Array> {
  // Safe: a successful GET has a body, whose type Node and the web declare apart.
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  // Once all bytes are here the connection no longer matters: the bucket may have closed it.
  let missing = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY)
  try {
    while (missing > 0) {
      const { done, value } = await withTimeout(stop, () => reader.read())
      if (done) return
      missing -= value.length
      yield value
    }
  } finally {
    stop.abort()
  }
}

async function throwUnlessOk(reply: Response): Promise<void> {
  if (reply.ok) return
  const problem = `the file store answered ${reply.status}: ${(await reply.text()).slice(0, 200)}`
  throw reply.status >= 500 || reply.status === 429 ? new Outage(problem) : new Error(problem)
}

type ToSign = { method: string; url: URL; headers: Record<string, string>; content: Buffer | string; at: Date }

/** Signs a request by AWS Signature Version 4, with every header and the hash of the content. */
export async function signedHeaders(
  { region, accessKey, secret }: Pick<Bucket, 'region' | 'accessKey' | 'secret'>,
  { method, url, headers, content, at }: ToSign,
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    // Without it the library leaves the content unsigned.
    headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(content).digest('hex') },
    allHeaders: true,
    service: 's3',
    region,
    accessKeyId: accessKey,
    secretAccessKey: secret,
    datetime: at.toISOString().replaceAll(/[-:]|\.\d+/g, ''),
  })
  return Object.fromEntries((await signer.sign()).headers)
}
