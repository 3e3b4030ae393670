import { createHash, createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { Outage } from '#server/kit/store/outage.ts'
import { type FileStore, markerName, NoSuchContent } from './store.ts'

/** `s3://key:secret@host[:port]/bucket[/folder]?region=eu-west-1`; `&tls=false` where there is no https. */
export function readS3Url(text: string): Bucket | undefined {
  const url = URL.parse(text)
  const [, bucket, ...folder] = url?.pathname.split('/') ?? []
  if (url?.protocol !== 's3:' || !url.host || !bucket || !url.username || !url.password) return undefined
  const { searchParams } = url
  return {
    origin: `${searchParams.get('tls') === 'false' ? 'http' : 'https'}://${url.host}`,
    root: ['', bucket, ...folder.filter(Boolean)].join('/'),
    region: searchParams.get('region') ?? 'us-east-1',
    accessKey: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
  }
}

export type Bucket = { origin: string; root: string; region: string; accessKey: string; secret: string }

/** Four verbs of S3's interface, its path style, each request signed. */
export function openS3(setting: string): FileStore {
  const bucket = readS3Url(setting)
  if (!bucket) throw new TypeError('FILE_STORE is no address of a bucket')
  const send = async (stop: AbortController, method: string, name: string, content?: Buffer, mediaType?: string): Promise<Response> => {
    const url = new URL(`${bucket.origin}${bucket.root}/${name}`)
    const headers: Record<string, string> = mediaType ? { 'content-type': mediaType } : {}
    const signed = signedHeaders(bucket, { method, url, headers, content: content ?? '', at: new Date() })
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
      await patiently(stop, async () => mustBeDone(await send(stop, 'PUT', name, content, mediaType)))
    },
    async has(name) {
      const stop = new AbortController()
      return patiently(stop, async () => {
        const reply = await send(stop, 'HEAD', name)
        if (reply.status !== 404) await mustBeDone(reply)
        return reply.ok
      })
    },
    async read(name) {
      const stop = new AbortController()
      const reply = await patiently(stop, async () => {
        const reply = await send(stop, 'GET', name)
        if (reply.status === 404) throw new NoSuchContent(name)
        await mustBeDone(reply)
        return reply
      })
      return Readable.from(flowing(reply, stop), { objectMode: false })
    },
    async remove(name) {
      const stop = new AbortController()
      await patiently(stop, async () => {
        const reply = await send(stop, 'DELETE', name)
        if (reply.status !== 404) await mustBeDone(reply)
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

const patienceMs = 20_000

/** So long the bucket may leave the service waiting, for an answer or for the next piece of one. */
async function patiently<T>(stop: AbortController, wait: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => stop.abort(new Outage('the file store has stopped answering')), patienceMs)
  try {
    return await wait()
  } finally {
    clearTimeout(timer)
  }
}

/** What is read, for as long as the reader takes: a large file on a slow line takes minutes. */
async function* flowing({ body, headers }: Response, stop: AbortController): AsyncGenerator<Uint8Array> {
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  // When all has come it is not asked what became of the line: the bucket may have hung up long ago.
  let missing = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY)
  try {
    while (missing > 0) {
      const { done, value } = await patiently(stop, () => reader.read())
      if (done) return
      missing -= value.length
      yield value
    }
  } finally {
    stop.abort()
  }
}

async function mustBeDone(reply: Response): Promise<void> {
  if (reply.ok) return
  const fault = `the file store answered ${reply.status}: ${(await reply.text()).slice(0, 200)}`
  throw reply.status >= 500 || reply.status === 429 ? new Outage(fault) : new Error(fault)
}

type ToSign = { method: string; url: URL; headers: Record<string, string>; content: Buffer | string; at: Date }

/** AWS Signature Version 4, in headers: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
export function signedHeaders(
  { region, accessKey, secret }: Pick<Bucket, 'region' | 'accessKey' | 'secret'>,
  { method, url, headers, content, at }: ToSign,
): Record<string, string> {
  const stamp = at.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const day = stamp.slice(0, 8)
  const hash = sha256(content)
  const all: Record<string, string> = { ...headers, host: url.host, 'x-amz-content-sha256': hash, 'x-amz-date': stamp }
  const names = Object.keys(all).toSorted()
  const said = names.map(name => `${name}:${(all[name] ?? '').trim()}\n`).join('')
  const request = [method, url.pathname, url.searchParams.toString(), said, names.join(';'), hash].join('\n')
  const purpose = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>((last, part) => hmac(last, part), `AWS4${secret}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', stamp, purpose, sha256(request)].join('\n')).toString('hex')
  const { host: _, ...sent } = all
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${purpose}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()
