import { startService, type Service } from '#fault-tests/harness/service.ts'

/** The bare server, answering as many bytes as what it is compared with. */
export const startEcho = (bytes: number): Promise<Service> =>
  startService({ program: 'bench/echo/main.ts', environment: { ECHO_BYTES: String(bytes) } })
