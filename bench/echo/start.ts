import { startService, type Service } from '#testing/service.ts'

/** Starts the minimal server, which responds with this many bytes. */
export const startEcho = (bytes: number): Promise<Service> =>
  startService({ program: 'bench/echo/main.ts', environment: { ECHO_BYTES: String(bytes) } })
