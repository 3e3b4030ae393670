import type { TestApp, TestReply } from '#server/kit/testing.ts'
import { pdf, png } from '#server/kit/upload/testing.ts'
import type { SignedIn } from '#server/session/testing.ts'

type Part = { name: string; content: Buffer; field?: string }

export const aPdf: Part = { name: 'Factura Ñ.pdf', content: pdf() }
export const aPicture: Part = { name: 'maleta.png', content: png() }

/** Encodes a form as a browser does. */
export function multipart(fields: Record<string, unknown>, files: Part[]): { body: Buffer; type: string } {
  const boundary = 'portolan-test-boundary'
  const text = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`),
  )
  const parts = files.flatMap(({ name, content, field = 'files' }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name.replaceAll('"', '%22')}"\r\ncontent-type: image/png\r\n\r\n`,
    ),
    content,
    Buffer.from('\r\n'),
  ])
  return { body: Buffer.concat([...text, ...parts, Buffer.from(`--${boundary}--\r\n`)]), type: `multipart/form-data; boundary=${boundary}` }
}

export async function sendForm(
  app: TestApp,
  user: Pick<SignedIn, 'headers'>,
  path: string,
  fields: Record<string, unknown>,
  files: Part[],
): Promise<TestReply> {
  const { body, type } = multipart(fields, files)
  const reply = await app.context.http.inject({
    method: 'POST',
    url: path,
    headers: { ...user.headers, 'content-type': type },
    payload: body,
  })
  return { status: reply.statusCode, body: JSON.parse(reply.payload), headers: reply.headers, text: reply.payload, bytes: reply.rawPayload }
}
