/** The little of smtp-server that the mailbox uses; the package ships no types. */
declare module 'smtp-server' {
  import type { EventEmitter } from 'node:events'
  import type { Server, Socket } from 'node:net'
  import type { Readable } from 'node:stream'

  type Done = (error?: Error) => void
  type Address = { address: string }
  type Session = { envelope: { mailFrom: Address | false; rcptTo: Address[] } }

  export class SMTPServer extends EventEmitter {
    constructor(options: {
      authOptional?: boolean
      disabledCommands?: string[]
      onRcptTo?(address: Address, session: Session, done: Done): void
      onData?(stream: Readable, session: Session, done: Done): void
    })
    readonly server: Server
    readonly connections: Set<{ _socket: Socket }>
    listen(port: number, host: string, done: () => void): Server
    close(done: () => void): void
  }
}
