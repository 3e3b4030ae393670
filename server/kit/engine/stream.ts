import { Duplex } from 'node:stream'
import type { Engine } from './engine.ts'

/**
 * A connection of `pg` to the engine, in place of a socket. All that `pg` writes at a time, or while the engine works, is sent to the engine together. A
 * transaction of one statement is thus one call of it (connection.ts).
 */
export class EngineStream extends Duplex {
  readonly #engine: Pick<Engine, 'exec'>

  constructor(engine: Pick<Engine, 'exec'>) {
    super()
    this.#engine = engine
  }

  /** Called by `pg`, as the other methods of sockets. */
  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }
  setNoDelay(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(message: Buffer, _encoding: BufferEncoding, done: Done): void {
    void this.#answer([message], done)
  }

  override _writev(messages: { chunk: Buffer }[], done: Done): void {
    void this.#answer(
      messages.map(({ chunk }) => chunk),
      done,
    )
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  async #answer(messages: Buffer[], done: Done): Promise<void> {
    let failure: Error | null = null
    try {
      await this.#exec(messages)
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
    }
    done(failure)
  }

  /** The engine has one session, which begins before any client and outlives them all. */
  async #exec(messages: Buffer[]): Promise<void> {
    if (messages.some(isStartup)) this.push(accepted)
    const others = messages.filter(message => !isStartup(message) && !isTerminate(message))
    if (others.length === 0) return
    const response = await this.#engine.exec(Buffer.concat(others))
    if (response.length > 0) this.push(Buffer.from(response.buffer, response.byteOffset, response.byteLength))
  }
}

type Done = (error: Error | null) => void

/** The first message has no type, but begins with its length. */
const isStartup = (message: Buffer): boolean => message[0] === 0
const isTerminate = (message: Buffer): boolean => message[0] === 'X'.charCodeAt(0)

/** AuthenticationOk, and ReadyForQuery outside of a transaction. */
const accepted = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])
