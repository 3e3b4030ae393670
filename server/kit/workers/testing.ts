import { setTimeout as delay } from 'node:timers/promises'

// Tasks of every manner, for workers.test.ts.

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

export function fillMemory(): number {
  const held: object[] = []
  for (;;) held.push({ many: [held.length] })
}

export function fail(): never {
  throw new RangeError('a defect')
}

export async function crash(): Promise<void> {
  setImmediate(() => {
    throw new Error('out of line')
  })
  await delay(60_000)
}
