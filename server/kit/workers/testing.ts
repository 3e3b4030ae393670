import { setTimeout as delay } from 'node:timers/promises'

// Tasks of every kind, for workers.test.ts.

export const sizeOf = (bytes: Buffer): { size: number; half: Buffer; isBuffer: boolean } => ({
  size: bytes.length,
  half: bytes.subarray(0, bytes.length / 2),
  isBuffer: Buffer.isBuffer(bytes),
})

export function holdFor(flag: SharedArrayBuffer, name: string): string {
  Atomics.wait(new Int32Array(flag), 0, 0)
  return name
}

export function neverEnd(): void {
  for (;;);
}

/** Fills the heap up to this many megabytes and returns the number of pieces. */
export function fillHeap(megabytes: number): number {
  const pieces: number[][] = []
  const used = () => process.memoryUsage().heapUsed / 2 ** 20
  while (used() < megabytes) pieces.push(Array.from({ length: 10_000 }, (_, index) => index + 0.5))
  return pieces.length
}

export function fail(): never {
  throw new RangeError('a bug')
}

export async function crash(): Promise<void> {
  setImmediate(() => {
    throw new Error('out of line')
  })
  await delay(60_000)
}
