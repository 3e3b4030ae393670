/** Prepares a value for another thread. Its bytes are moved, or copied if they share their memory with others. */
export function toTransfer(value: unknown): { value: unknown; moved: ArrayBuffer[] } {
  const moved: ArrayBuffer[] = []
  const own = (bytes: Uint8Array): Uint8Array => {
    const alone = bytes.buffer.byteLength === bytes.byteLength ? bytes : new Uint8Array(bytes)
    // Safe: only shared memory has another type, and it is never passed as bytes.
    moved.push(alone.buffer as ArrayBuffer)
    return alone
  }
  return { value: mapBytes(value, own), moved }
}

/** Restores a value from another thread, with its bytes as buffers. */
export const fromTransfer = (value: unknown): unknown =>
  // Safe: bytes are never in shared memory here.
  mapBytes(value, ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength))

function mapBytes(value: unknown, change: (bytes: Uint8Array) => Uint8Array): unknown {
  if (value instanceof Uint8Array) return change(value)
  if (Array.isArray(value)) return value.map(each => mapBytes(each, change))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapBytes(each, change)]))
}
