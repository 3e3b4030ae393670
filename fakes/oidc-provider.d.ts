/** The part of oidc-provider that the fake issuer uses. The package ships no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): (request: IncomingMessage, reply: ServerResponse) => Promise<void>
    interactionFinished(request: IncomingMessage, reply: ServerResponse, result: object, options: object): Promise<void>
    readonly Grant: new (of: {
      clientId: string
      accountId: string
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> }
  }
}
