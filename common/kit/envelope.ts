/** How every reply is wrapped (api.md, Common rules). Known to the server's `serve` and the portal's `ask` only. */
export type Envelope = { code: 200; data: unknown } | FailureEnvelope

export type FailureEnvelope = {
  code: number
  error: string
  errorMessage: string
  fields?: { path: string; rule: string; message: string }[]
  data?: unknown
  requestId: string
}
