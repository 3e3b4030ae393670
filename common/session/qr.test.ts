import { expect, test } from 'vitest'
import { qrCode } from './qr.ts'

const sideOf = (svg: string | null): number => Number(/viewBox="0 0 (\d+) /.exec(svg ?? '')?.[1])
/** Returns the modules of a code row by row, without its margin. */
function rowsOf(svg: string): string[] {
  const side = sideOf(svg)
  const square = Array.from({ length: side }, () => Array.from({ length: side }, () => '.'))
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)/g)) square[Number(y)]?.fill('#', Number(x), Number(x) + Number(width))
  return square.slice(4, -4).map(row => row.slice(4, -4).join(''))
}

test('a code is as large as its text needs, and null if the text is too long', () => {
  expect([1, 14, 15, 100, 213].map(length => sideOf(qrCode('x'.repeat(length))))).toEqual([29, 29, 33, 49, 65])
  expect(qrCode('x'.repeat(214))).toBeNull()
  // For characters beyond ASCII the code declares UTF-8.
  expect(sideOf(qrCode('é'.repeat(7)))).toBe(33)
})

test('equals a code that real scanners have read (jsqr 1.4.0, qr 0.7.0)', () => {
  expect(rowsOf(qrCode('PORTOLAN') ?? '')).toMatchInlineSnapshot(`
    [
      "#######.#.#.#.#######",
      "#.....#.##.##.#.....#",
      "#.###.#.#..#..#.###.#",
      "#.###.#....##.#.###.#",
      "#.###.#....##.#.###.#",
      "#.....#.#####.#.....#",
      "#######.#.#.#.#######",
      "........###..........",
      "..###.#.##.#.###..###",
      ".###...##.####.#...#.",
      ".##...##..##.#..#####",
      "#.#....#.#.##..##..##",
      "..###.###.#.##..##.#.",
      "........###..#.#.....",
      "#######...#..#.#.###.",
      "#.....#...####.#..#..",
      "#.###.#.###.##.#####.",
      "#.###.#.##....##..#..",
      "#.###.#.#..#.##.##...",
      "#.....#......#.####.#",
      "#######..##.###.#.#..",
    ]
  `)
})
