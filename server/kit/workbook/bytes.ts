const [minus, point, zero, nine] = [0x2d, 0x2e, 0x30, 0x39]

export const bytesOf = (text: string): Uint8Array => Buffer.from(text)

/** Writes bytes at an index, and returns the index after them. A loop is faster than a call for a few bytes. */
export function put(bytes: Uint8Array, to: Uint8Array, at: number): number {
  if (bytes.length > 16) {
    to.set(bytes, at)
    return at + bytes.length
  }
  for (let index = 0; index < bytes.length; index += 1) to[at + index] = bytes[index] ?? 0
  return at + bytes.length
}

/** Returns the text of bytes. */
export const textOf = (values: Uint8Array, from: number, end: number): string => decoder.decode(values.subarray(from, end))
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Returns the same function with a cache, for few texts that often follow each other. */
export function remembering<Value>(valueOf: (text: string) => Value): (values: Uint8Array, from: number, end: number) => Value {
  let last: { bytes: Uint8Array; value: Value } | undefined
  return (values, from, end) => {
    if (last && isSame(last.bytes, values, from, end)) return last.value
    last = { bytes: values.slice(from, end), value: valueOf(textOf(values, from, end)) }
    return last.value
  }
}

function isSame(bytes: Uint8Array, values: Uint8Array, from: number, end: number): boolean {
  if (bytes.length !== end - from) return false
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index] !== values[from + index]) return false
  return true
}

type ValueWriter = (values: Uint8Array, from: number, end: number, to: Buffer, at: number) => number

const putValue: ValueWriter = (values, from, end, to, at) => {
  for (let index = from; index < end; index += 1) to[at + index - from] = values[index] ?? 0
  return at + end - from
}

export function putSerial(serialOf: ((whole: number) => number) | undefined): ValueWriter {
  if (!serialOf) return putValue
  return (values, from, end, to, at) => at + to.write(String(serialOf(wholeAt(values, from, end))), at)
}

/** Numbers of at most this many digits are exact in JavaScript. */
const surelyExact = 15

/** Writes cents as JavaScript writes the number of euros: without zeros at the end. */
export const putAmount: ValueWriter = (values, from, end, to, at) => {
  const isNegative = values[from] === minus
  const digits = isNegative ? from + 1 : from
  if (end - digits > surelyExact) return at + to.write(String(Number(textOf(values, from, end)) / 100), at)
  let place = at
  if (isNegative) place = putByte(minus, to, place)
  if (end - digits > 2) place = putValue(values, digits, end - 2, to, place)
  else place = putByte(zero, to, place)
  const [tens, ones] = [end - digits > 1 ? (values[end - 2] ?? 0) : zero, values[end - 1] ?? 0]
  if (tens === zero && ones === zero) return place
  place = putByte(tens, to, putByte(point, to, place))
  return ones === zero ? place : putByte(ones, to, place)
}

function putByte(byte: number, to: Uint8Array, at: number): number {
  to[at] = byte
  return at + 1
}

/** Returns the whole number whose digits are in these bytes. */
export function wholeAt(values: Uint8Array, from: number, end: number): number {
  const isNegative = values[from] === minus
  let whole = 0
  for (let index = isNegative ? from + 1 : from; index < end; index += 1) whole = whole * 10 + (values[index] ?? 0) - zero
  return isNegative ? -whole : whole
}

/** Returns the digits of a number and of those that follow it, in the same bytes while their length is the same. */
export function digitsFrom(first: number): { next(): Uint8Array } {
  let digits = bytesOf(String(first - 1))
  return {
    next() {
      let index = digits.length - 1
      while (index >= 0 && digits[index] === nine) {
        digits[index] = zero
        index -= 1
      }
      if (index >= 0) digits[index] = (digits[index] ?? 0) + 1
      else digits = bytesOf(`1${'0'.repeat(digits.length)}`)
      return digits
    },
  }
}
