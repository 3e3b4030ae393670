import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterAll, assert, expect, test } from 'vitest'
import { logoOf, proofOf } from '#server/documents/pdf/document.ts'
import { openRenderer } from '#server/documents/typesetting/renderer.ts'
import { chunk, pngFrom } from '#server/kit/upload/testing.ts'
import { demoScope } from '#server/session/testing.ts'
import { cleanLogo } from './clean.ts'
import { dataUrl, webps } from './testing.ts'

// Nearly valid logos. Whatever the cleaning accepts, a document is made with or without it. `LOGOS=2000 npm test -- mutated` plays more.

const numRuns = Number(process.env['LOGOS'] ?? 50)

const outcomes = { refused: 0, printed: 0, leftOut: 0 }
const renderer = openRenderer({ onBadPicture: async () => (outcomes.leftOut += 1) })
afterAll(() => {
  renderer.stop()
  if (process.env['LOGOS']) process.stdout.write(`${JSON.stringify(outcomes)}\n`)
})

const logoFile = (name: string) => readFileSync(join(import.meta.dirname, `../../../catalogue/logos/${name}.svg`), 'utf8')
const numbers = '0 -1 .001 .0011 1e-3 1e-7 1e-30 4.37e-08 999999 1e6 -1e6 1e7 1e30 1e308 NaN 100% 1% 1e-3px 2147483648'.split(' ')
const parts = [
  `${'<g transform="scale(.001)">'.repeat(40)}<rect width="9" height="9"/>${'</g>'.repeat(40)}`,
  `${'<g transform="scale(999999)">'.repeat(20)}<rect width="9" height="9"/>${'</g>'.repeat(20)}`,
  '<g transform="matrix(0 0 0 0 0 0)"><path d="M0 0h9v9z" stroke="red"/></g>',
  '<g transform="skewX(90) rotate(1e6)"><circle r="1e6" cx="-1e6"/></g>',
  '<defs><pattern id="p" width=".001" height=".001"><path d="M0 0h1"/></pattern></defs><path fill="url(#p)" d="M0 0H1e6V1e6z"/>',
  '<defs><mask id="m"><rect width="1e6" height="1e6" fill="#fff"/></mask></defs><g mask="url(#m)" opacity=".5"><rect width="9" height="9"/></g>',
  '<defs><clipPath id="c" clip-path="url(#c)"><text>a</text></clipPath></defs><rect clip-path="url(#c)" width="9" height="9"/>',
  '<defs><radialGradient id="r" r="0" fr="1e6" fx="-1e6"><stop offset="-1"/><stop offset="1e6"/></radialGradient></defs><circle r="9" fill="url(#r)"/>',
  '<path stroke="red" stroke-width="1e6" stroke-miterlimit="1e6" stroke-dasharray=".000002 1e6" d="M0 0A0 0 0 0 0 0 0C1 1 1 1 1 1Q9 9 9 9"/>',
  '<polygon points="0 0 1"/><polyline points=""/><line/><ellipse rx="0" ry="-1"/>',
  '<text font-size="0" letter-spacing="1e6" textLength="1e-3" rotate="1 2 3">a\u202eb\u0301\u200dc</text>',
  `<text font-family="none" font-size="1e6" x="${'1 '.repeat(300)}">😀${'á'.repeat(300)}</text>`,
  '<symbol id="s" viewBox="0 0 .001 .001" preserveAspectRatio="none"><rect width="9" height="9"/></symbol><use href="#s" width="1e6" height=".001"/>',
]

/** Replaces one number of a drawing, or puts a part into it, takes a piece out or doubles one. */
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ at: fc.nat(), number: fc.constantFrom(...numbers) }) },
  { weight: 2, arbitrary: fc.record({ at: fc.nat(), part: fc.constantFrom(...parts) }) },
  fc.record({ at: fc.nat(), length: fc.integer({ min: 1, max: 40 }), times: fc.constantFrom(0, 2) }),
)
const number = /-?\d*\.?\d+(?:e-?\d+)?/g

const drawing = fc
  .tuple(
    fc.constantFrom(logoFile('azahar'), logoFile('rotta'), '<svg viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'),
    fc.array(change, { minLength: 1, maxLength: 4 }),
  )
  .map(([text, changes]) => Buffer.from(changes.reduce(changed, text)))

function changed(text: string, one: typeof change extends fc.Arbitrary<infer Change> ? Change : never): string {
  if ('number' in one) {
    const found = [...text.matchAll(number)]
    const { index = 0, 0: written = '' } = found[one.at % found.length] ?? {}
    return text.slice(0, index) + one.number + text.slice(index + written.length)
  }
  if ('part' in one) {
    const ends = [...text.matchAll(/>/g)].map(({ index }) => index + 1).slice(0, -1)
    const at = ends[one.at % ends.length] ?? 0
    return text.slice(0, at) + one.part + text.slice(at)
  }
  const from = one.at % text.length
  return text.slice(0, from) + text.slice(from, from + one.length).repeat(one.times) + text.slice(from + one.length)
}

/** A picture with any bytes as pixels, even if its header promises another kind of pixels. */
const png = fc
  .record({
    width: fc.integer({ min: 1, max: 2048 }),
    height: fc.integer({ min: 1, max: 9 }),
    pixels: fc.uint8Array({ maxLength: 400 }),
    more: fc.uint8Array({ maxLength: 9 }),
  })
  .map(({ width, height, pixels, more }) =>
    pngFrom(width, height, [chunk('PLTE', Buffer.from(more)), chunk('tRNS', Buffer.from(more)), chunk('IDAT', deflateSync(pixels))]),
  )

const webp = fc
  .tuple(
    fc.constantFrom(...Object.values(webps)),
    fc.array(fc.tuple(fc.integer({ min: 20, max: 48 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }),
  )
  .map(([bytes, changes]) => {
    const mutated = Buffer.from(bytes)
    for (const [at, value] of changes) if (at < mutated.length) mutated[at] = value
    return mutated
  })

test.each([
  ['SVG', drawing, numRuns],
  ['PNG', png, numRuns / 2],
  ['WebP', webp, numRuns / 2],
])('a nearly valid logo crashes nothing: %s', async (_, bytes, numRuns) => {
  await fc.assert(
    fc.asyncProperty(bytes, async sent => {
      const picture = await cleanLogo(sent)
      if (!picture || picture === 'numbers') return void (outcomes.refused += 1)
      const logo = logoOf(dataUrl(picture.content, picture.mediaType))
      assert(logo)
      const content = await renderer.renderAgain(demoScope('azahar').businessUnitId, proofOf(logo))
      expect(content.subarray(0, 5).toString()).toBe('%PDF-')
      outcomes.printed += 1
    }),
    { numRuns },
  )
})
