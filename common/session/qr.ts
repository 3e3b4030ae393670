/** A QR code (ISO/IEC 18004) of up to 213 bytes, drawn as SVG: byte mode, error correction M. Nothing for a longer text. */
export function qrCode(text: string): string | null {
  const bytes = utf8(text)
  // Four bits say the mode, eight (from version 10 on sixteen) the length.
  const version = versions.findIndex(({ data }, place) => data * 8 - 4 - (place < 9 ? 8 : 16) >= bytes.length * 8) + 1
  if (version === 0) return null
  return svgOf(draw(withCorrection(dataWords(bytes, version), version), version))
}

type Square = boolean[][]

const utf8 = (text: string): number[] =>
  Array.from(encodeURIComponent(text.toWellFormed()).matchAll(/%(..)|(.)/g), ([, hex, sign]) =>
    hex ? Number.parseInt(hex, 16) : (sign ?? '').charCodeAt(0),
  )

/** Of versions 1 to 10 at level M: words of data, of correction a block, and how many blocks (ISO/IEC 18004, table 9). */
const versions = [
  { data: 16, correction: 10, blocks: 1 },
  { data: 28, correction: 16, blocks: 1 },
  { data: 44, correction: 26, blocks: 1 },
  { data: 64, correction: 18, blocks: 2 },
  { data: 86, correction: 24, blocks: 2 },
  { data: 108, correction: 16, blocks: 4 },
  { data: 124, correction: 18, blocks: 4 },
  { data: 154, correction: 22, blocks: 4 },
  { data: 182, correction: 22, blocks: 5 },
  { data: 216, correction: 26, blocks: 5 },
] as const
const centres = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]]

const versionOf = (version: number) => versions[version - 1] ?? versions[0]

function dataWords(bytes: number[], version: number): number[] {
  const { data } = versionOf(version)
  const lengthBits = version < 10 ? 8 : 16
  const bits = [0, 1, 0, 0, ...bitsOf(bytes.length, lengthBits), ...bytes.flatMap(byte => bitsOf(byte, 8))]
  bits.push(...Array.from({ length: Math.min(4, data * 8 - bits.length) }, () => 0))
  while (bits.length % 8 > 0) bits.push(0)
  const words = Array.from({ length: bits.length / 8 }, (_, place) => Number.parseInt(bits.slice(place * 8, place * 8 + 8).join(''), 2))
  for (let filler = 0xec; words.length < data; filler ^= 0xec ^ 0x11) words.push(filler)
  return words
}

const bitsOf = (value: number, length: number): number[] => Array.from({ length }, (_, place) => (value >> (length - 1 - place)) & 1)

/** Blocks of nearly the same size, each with its correction, woven into one another. */
function withCorrection(words: number[], version: number): number[] {
  const { data, correction, blocks } = versionOf(version)
  const short = Math.floor(data / blocks)
  const longOnes = data % blocks
  let start = 0
  const pieces = Array.from({ length: blocks }, (_, place) => {
    const end = start + short + (place >= blocks - longOnes ? 1 : 0)
    const piece = words.slice(start, end)
    start = end
    return piece
  })
  return [...woven(pieces), ...woven(pieces.map(piece => remainder(piece, correction)))]
}

const woven = (pieces: number[][]): number[] =>
  Array.from({ length: Math.max(...pieces.map(piece => piece.length)) }, (_, place) => place).flatMap(place =>
    pieces.flatMap(piece => piece.slice(place, place + 1)),
  )

/** Arithmetic of GF(256) by x⁸ + x⁴ + x³ + x² + 1. */
const powers: number[] = [1]
for (let place = 1; place < 255; place++) {
  const doubled = (powers[place - 1] ?? 0) << 1
  powers.push(doubled > 255 ? doubled ^ 0x11d : doubled)
}
const logarithms = new Map(powers.map((value, exponent) => [value, exponent]))
const times = (one: number, other: number): number =>
  one === 0 || other === 0 ? 0 : (powers[((logarithms.get(one) ?? 0) + (logarithms.get(other) ?? 0)) % 255] ?? 0)

/** Reed and Solomon's correction: the rest of the words over the generator of that degree. */
function remainder(words: number[], degree: number): number[] {
  let generator = [1]
  for (let place = 0; place < degree; place++)
    generator = [...generator, 0].map((value, at) => value ^ times(generator[at - 1] ?? 0, powers[place] ?? 0))
  const rest = [...words, ...Array.from({ length: degree }, () => 0)]
  for (let place = 0; place < words.length; place++) {
    const factor = rest[place] ?? 0
    for (const [at, value] of generator.entries()) rest[place + at] = (rest[place + at] ?? 0) ^ times(value, factor)
  }
  return rest.slice(words.length)
}

/** Of the eight masks the checkerboard: any reader takes any of them, and addresses make no pattern that it would not break. */
const mask = 0
const isTurned = (row: number, column: number): boolean => (row + column) % 2 === 0

function draw(words: number[], version: number): Square {
  const size = version * 4 + 17
  const square: (boolean | undefined)[][] = Array.from({ length: size }, () => Array.from({ length: size }, () => undefined))
  const set = (row: number, column: number, dark: boolean): void => {
    const line = square[row]
    if (line && column >= 0 && column < size) line[column] = dark
  }
  drawPatterns(set, version, size)
  drawFormat(set, size)
  drawVersion(set, version, size)
  const bits = words.flatMap(word => bitsOf(word, 8))
  let taken = 0
  for (const [row, column] of path(size)) {
    if (square[row]?.[column] !== undefined) continue
    set(row, column, (bits[taken] === 1) !== isTurned(row, column))
    taken += 1
  }
  return square.map(line => line.map(dark => dark === true))
}

type Set = (row: number, column: number, dark: boolean) => void

function drawPatterns(set: Set, version: number, size: number): void {
  for (let place = 0; place < size; place++) {
    set(6, place, place % 2 === 0)
    set(place, 6, place % 2 === 0)
  }
  const at = centres[version - 1] ?? []
  const last = size - 7
  for (const row of at)
    for (const column of at) {
      const isCorner = (row === 6 && column === 6) || (row === 6 && column === last) || (row === last && column === 6)
      if (!isCorner) ring(set, row, column, 2, distance => distance !== 1)
    }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    ring(set, row, column, 4, distance => distance !== 2 && distance !== 4)
}

function ring(set: Set, row: number, column: number, reach: number, isDark: (distance: number) => boolean): void {
  for (let down = -reach; down <= reach; down++)
    for (let right = -reach; right <= reach; right++) set(row + down, column + right, isDark(Math.max(Math.abs(down), Math.abs(right))))
}

/** Level M (00) and the mask, twice, with their own correction. */
function drawFormat(set: Set, size: number): void {
  const bits = (mask << 10) | rest(mask, 10, 0x537)
  const bit = (place: number) => (((bits ^ 0x5412) >> place) & 1) === 1
  for (let place = 0; place < 15; place++) {
    const near = place < 6 ? place : place < 8 ? place + 1 : place === 8 ? 7 : 14 - place
    if (place < 8) set(near, 8, bit(place))
    else set(8, near, bit(place))
    if (place < 8) set(8, size - 1 - place, bit(place))
    else set(size - 15 + place, 8, bit(place))
  }
  set(size - 8, 8, true)
}

function drawVersion(set: Set, version: number, size: number): void {
  if (version < 7) return
  const bits = (version << 12) | rest(version, 12, 0x1f25)
  for (let place = 0; place < 18; place++) {
    const [far, near] = [size - 11 + (place % 3), Math.floor(place / 3)]
    const dark = ((bits >> place) & 1) === 1
    set(far, near, dark)
    set(near, far, dark)
  }
}

function rest(value: number, degree: number, generator: number): number {
  let left = value
  for (let place = 0; place < degree; place++) left = (left << 1) ^ ((left >> (degree - 1)) * generator)
  return left
}

/** Two columns at a time from the right, up and down by turns, past the column of the timing pattern. */
function* path(size: number): Generator<[row: number, column: number]> {
  let isUpward = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--
    for (let step = 0; step < size; step++) {
      const row = isUpward ? size - 1 - step : step
      yield [row, right]
      yield [row, right - 1]
    }
    isUpward = !isUpward
  }
}

/** With the quiet margin of four squares around it. */
function svgOf(square: Square): string {
  const size = square.length + 8
  const path = square.flatMap((line, row) =>
    [...line.map(Number).join('').matchAll(/1+/g)].map(({ index, 0: { length } }) => `M${index + 4} ${row + 4}h${length}v1h-${length}z`),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path d="${path.join('')}"/></svg>`
}
