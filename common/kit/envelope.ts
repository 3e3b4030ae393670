/** The envelope of every response (api.md, Common rules). Only the server's `serve` and the portal's `ask` use it. */
export type Envelope = { code: 200; data: unknown } | FailureEnvelope

export type FailureEnvelope = {
  code: number
  error: string
  errorMessage: string
  fields?: { path: string; rule: string; message: string }[]
  data?: unknown
  requestId: string
}
