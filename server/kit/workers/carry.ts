/** A value on its way to another thread: its bytes change hands, where they have memory of their own, and are copied where they share it. */
export function loaded(value: unknown): { value: unknown; moved: ArrayBuffer[] } {
  const moved: ArrayBuffer[] = []
  const own = (bytes: Uint8Array): Uint8Array => {
    const alone = bytes.buffer.byteLength === bytes.byteLength ? bytes : new Uint8Array(bytes)
    moved.push(alone.buffer as ArrayBuffer)
    return alone
  }
  return { value: mapBytes(value, own), moved }
}

/** What came from another thread, with bytes as the program has them everywhere. */
export const unloaded = (value: unknown): unknown =>
  mapBytes(value, ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength))

function mapBytes(value: unknown, change: (bytes: Uint8Array) => Uint8Array): unknown {
  if (value instanceof Uint8Array) return change(value)
  if (Array.isArray(value)) return value.map(each => mapBytes(each, change))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapBytes(each, change)]))
}
