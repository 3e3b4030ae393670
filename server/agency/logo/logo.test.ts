import { deflateSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bytesOf, cleanLogo } from './clean.ts'
import { dataUrl, pngOf, webps } from './testing.ts'

async function clean(content: Buffer | string) {
  const picture = await cleanLogo(Buffer.from(content))
  return picture === 'numbers' ? undefined : picture
}
const svg = (inside: string, attributes = 'viewBox="0 0 9 9"') => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`
const cleanText = async (text: string) => (await clean(text))?.content.toString()

describe('a PNG logo', () => {
  test('keeps the chunks that draw and loses texts, profiles and trailing bytes', async () => {
    const picture = await clean(
      pngOf({
        more: [
          ['tEXt', 'Author\0somebody'],
          ['iCCP', 'x'],
          ['eXIf', 'GPS'],
        ],
        after: '<script>alert(1)</script>',
      }),
    )
    expect(picture).toEqual({ mediaType: 'image/png', content: pngOf() })
  })

  test.each([
    ['no pixels', pngOf({ idat: Buffer.alloc(0) })],
    ['pixels that cannot be decompressed', pngOf({ idat: Buffer.from('nonsense') })],
    ['more pixels than its header states', pngOf({ idat: deflateSync(Buffer.alloc(50_000_000)) })],
    ['a side over the limit', pngOf({ width: 2049, height: 1 })],
    ['a width of zero', pngOf({ width: 0, height: 4, idat: deflateSync(Buffer.alloc(4)) })],
    ['a wrong checksum', Buffer.concat([pngOf().subarray(0, 20), Buffer.from([1]), pngOf().subarray(21)])],
    ['no end', pngOf().subarray(0, -12)],
    ['the signature alone', pngOf().subarray(0, 8)],
  ])('with %s is refused', async (_, bytes) => expect(await clean(bytes)).toBeUndefined())
})

describe('a WebP logo', () => {
  test('keeps only its picture', async () => {
    for (const bytes of Object.values(webps)) expect(await clean(bytes)).toEqual({ mediaType: 'image/webp', content: bytes })
    const exif = Buffer.concat([Buffer.from('EXIF'), Buffer.from([4, 0, 0, 0]), Buffer.from('GPS!')])
    const withExif = Buffer.concat([webps.lossless, exif])
    withExif.writeUInt32LE(withExif.length - 8, 4)
    expect((await clean(withExif))?.content).toEqual(webps.lossless)
    expect((await clean(Buffer.concat([webps.lossy, Buffer.from('<script>')])))?.content).toEqual(webps.lossy)
  })

  test.each([
    ['an animation', Buffer.concat([webps.lossy.subarray(0, 12), Buffer.from('ANIM'), Buffer.alloc(4), webps.lossy.subarray(12)])],
    ['a chunk cut short', webps.lossy.subarray(0, 30)],
    ['sound', Buffer.from('RIFF....WAVEfmt ........')],
    ['the bytes of a GIF', Buffer.from('GIF89a/*')],
  ])('with %s is refused', async (_, bytes) => {
    const riff = Buffer.from(bytes)
    if (riff.toString('latin1', 0, 4) === 'RIFF' && riff.length >= 8) riff.writeUInt32LE(riff.length - 8, 4)
    expect(await clean(riff)).toBeUndefined()
  })
})

describe('an SVG logo', () => {
  test('stays the same if it comes from the demo', async () => {
    for (const name of ['azahar', 'rotta']) {
      const text = readFileSync(join(import.meta.dirname, `../../../catalogue/logos/${name}.svg`), 'utf8')
      const cleaned = (await cleanText(text)) ?? ''
      const tags = (source: string) => source.match(/<[a-z]+/g)
      expect(tags(cleaned)).toEqual(tags(text.replaceAll(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')))
      expect(await cleanText(cleaned)).toBe(cleaned)
    }
  })

  test('loses all that runs, loads from elsewhere or is foreign (attack E68)', async () => {
    const hostile = [
      '<script>alert(1)</script>',
      '<g onload="alert(1)" onclick=\'alert(2)\'/>',
      '<a href="javascript:alert(1)"><path d="M0 0"/></a>',
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="//evil"/></body></foreignObject>',
      '<image href="http://evil.example/x.png" x="1"/>',
      '<use href="http://evil.example/x.svg#a"/><use xlink:href="data:image/svg+xml;base64,AAAA#a"/>',
      '<rect fill="url(http://evil.example/#a)" style="background:url(//evil.example)"/>',
      '<rect style="fill:expression(alert(1));stroke:url(\'javascript:alert(1)\')"/>',
      '<animate attributeName="href" to="javascript:alert(1)"/><set attributeName="onload" to="alert(1)"/>',
      '<style>@import url(//evil.example); .a{fill:url(//evil.example#a)}</style>',
      '<rect class="a" data-x="1" xml:base="//evil.example"/>',
      '<svg:script xmlns:svg="http://www.w3.org/2000/svg">alert(1)</svg:script>',
      '<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>',
    ].join('')
    const cleaned = (await cleanText(svg(hostile, 'viewBox="0 0 9 9" onload="alert(1)" xml:base="//evil.example"'))) ?? ''
    expect(cleaned).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g/><use/><use/><rect/><rect/><rect/><text>&lt;script&gt;alert(1)&lt;/script&gt;</text></svg>',
    )
  })

  test('keeps its colours, whichever way they are written', async () => {
    const drawn = svg(
      '<defs><style>.cls-1,.cls-2{fill:#1f6f8b;}.cls-2{stroke:url(#g) !important}</style><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs>' +
        '<path class="cls-1" d="M0 0h9"/><path class="cls-2" style="opacity:.5;-x-y:1" d="M0 1h9"/><use xlink:href="#g"/>',
    )
    expect(await cleanText(drawn)).toBe(
      svg(
        '<defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs><path d="M0 0h9" fill="#1f6f8b"/>' +
          '<path d="M0 1h9" fill="#1f6f8b" stroke="url(#g)" opacity=".5"/><use href="#g"/>',
      ),
    )
  })

  test('may have an XML declaration and an empty document type', async () => {
    const text = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><!-- by hand -->${svg('<path d="M0 0"/>')}`
    expect(await cleanText(text)).toBe(svg('<path d="M0 0"/>'))
  })

  test.each([
    ['declared entities', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`],
    ['an undeclared entity', svg('<text>&nbsp;</text>')],
    ['unbalanced tags', '<svg viewBox="0 0 1 1"><g></svg></g>'],
    ['an attribute twice', '<svg viewBox="0 0 1 1" viewBox="0 0 2 2"/>'],
    ['two roots', svg('') + svg('')],
    ['no size', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'],
    ['HTML around it', '<html><body><svg viewBox="0 0 1 1"/></body></html>'],
    ['text after the end', `${svg('')}<script>`],
    ['another encoding', Buffer.from(svg('<path/>'), 'utf16le')],
    ['a GIF header around a script', 'GIF89a/*<svg viewBox="0 0 1 1"/>*/=alert(1)'],
    ['a PDF header', '%PDF-1.7 <svg viewBox="0 0 1 1"/>'],
    ['no content', ''],
    ['too many levels', svg('<g>'.repeat(100) + '</g>'.repeat(100))],
    ['too many elements', svg('<g/>'.repeat(6000))],
  ])('with %s is refused', async (_, text) => expect(await clean(text)).toBeUndefined())

  test('cannot stall the parser (attack E68)', async () => {
    const names = Array.from({ length: 30_000 }, (_, index) => ` a${index}="1"`).join('')
    for (const text of [
      `<svg viewBox="0 0 1 1"${names}/>`,
      `<svg ${'a="1" '.repeat(50_000)}`,
      `<!--${'-'.repeat(300_000)}`,
      `<${'!DOCTYPE '.repeat(50_000)}`,
      '&'.repeat(300_000),
    ])
      expect(await clean(text)).toBeUndefined()
    const styles = ['/*x'.repeat(100_000), 'a'.repeat(300_000), '.a{fill:#123}'.repeat(30_000), '.a'.repeat(100_000)]
    for (const style of styles)
      expect(await cleanText(svg(`<style>${style}</style>${'<g class="a a a"/>'.repeat(2000)}`))).toMatch(
        /^<svg [^>]*><g(?: fill="#123")?\/>/,
      )
    for (const points of ['('.repeat(300_000), `M0 0 ${'scale('.repeat(83_000)}`])
      expect(await cleanText(svg(`<path d="${points}"/>`))).toContain(points)
  })
})

describe('the numbers of an SVG logo', () => {
  const box = 'viewBox="0 0 100 50"'
  test.each([
    ['a viewBox next to nothing', '<rect width="1e30" height="1e30"/>', 'viewBox="0 0 1e-30 1e-30"'],
    ['a size next to nothing', '<rect width="9" height="9"/>', 'width="1e-38" height="1e-38"'],
    ['a viewBox of no size', '<path d="M0 0h9"/>', 'viewBox="0 0 0 0"'],
    ['an endless width', '<rect width="1e30" height="9"/>', box],
    ['an endless place', '<rect x="-2000000" width="9" height="9"/>', box],
    ['a point far away', '<path d="M0 0L1e7 9"/>', box],
    ['a scale next to nothing', '<g transform="translate(5 5) scale(.0000001)"/>', box],
    ['a scale without end', '<g transform="scale(1,1e9)"/>', box],
    ['a pattern’s endless scale', '<pattern id="p" patternTransform="matrix(1e12 0 0 1 0 0)"/>', box],
    ['an endless line by a class', '<style>.a{stroke-width:1e9}</style><path class="a" d="M0 0h9"/>', box],
  ])('are refused: %s', async (_, inside, attributes) => expect(await cleanLogo(Buffer.from(svg(inside, attributes)))).toBe('numbers'))

  test('that are as good as zero are written as zero', async () => {
    const [drawn, written] = [
      svg(
        '<g transform="matrix(4.37e-08 1 -1 -4.37114e-8 20 0)"><path d="M1.5.00000001-1e-9L-1e-7.5h2"/><rect x="1e-9px" width="9" height="2"/></g>',
        box,
      ),
      svg('<g transform="matrix(0 1 -1 0 20 0)"><path d="M1.5 0 0L0 .5h2"/><rect x="0px" width="9" height="2"/></g>', box),
    ]
    expect(await cleanText(drawn)).toBe(written)
  })

  test('are not searched for scales in a long shape, which would take long', async () => {
    const drawn = svg('<path d="M0 0scale(.0001)"/><polygon points="0 scale(.0001)"/>', box)
    expect(await cleanText(drawn)).toBe(drawn)
    expect(await cleanText(svg('<g transform="scale(scale(.0001)"/>', box))).toBeUndefined()
  })

  test('stay as they are in colours, names and ordinary drawings', async () => {
    const drawn = svg('<g id="a1e30"><path fill="#1e30ff" d="M0 0l.001 1e3"/><use href="#a1e-9"/><rect width="0" height="100%"/></g>', box)
    expect(await cleanText(drawn)).toBe(drawn)
  })
})

/** Returns levels that each draw the one before eight times. */
const nested = (depth: number, level: (inside: string, name: string, before: string) => string) =>
  Array.from({ length: depth }, (_, index) => level(`<use href="#a${index}"/>`.repeat(8), `a${index + 1}`, `a${index}`)).join('')
const star = `<path id="a0" d="M0 0${'h1v1'.repeat(2500)}"/>`

describe('an SVG logo that multiplies is refused by its weight:', () => {
  test.each([
    ['a class with a long value', `<style>.a{fill:${'a'.repeat(990)}}</style>${'<g class="a"/>'.repeat(2000)}`],
    ['nested groups', `<defs>${star}${nested(7, (inside, name) => `<g id="${name}">${inside}</g>`)}</defs><use href="#a7"/>`],
    ['nested symbols', `${star}${nested(7, (inside, name) => `<symbol id="${name}">${inside}</symbol>`)}<use href="#a7"/>`],
    [
      'nested masks',
      `${star}${nested(7, (_, name, before) => `<mask id="${name}">${`<g mask="url(#${before})"/>`.repeat(8)}</mask>`)}<g mask="url(#a7)"/>`,
    ],
    [
      'nested patterns',
      `${star}${nested(7, (_, name, before) => `<pattern id="${name}"><g fill="url(#${before})">${'<g/>'.repeat(8)}</g></pattern>`)}<g fill="url(#a7)"/>`,
    ],
    [
      'nested patterns by class',
      `<style>${nested(7, (_, name, before) => `.${name}{stroke:url('#${before}')}`)}</style>${star}${nested(7, (_, name) => `<pattern id="${name}"><g class="${name}">${'<g/>'.repeat(8)}</g></pattern>`)}<g stroke="url(#a7)"/>`,
    ],
    ['a long path, used often', `${star}${'<use href="#a0"/>'.repeat(300)}`],
    ['many shapes, used often', `<g id="a0">${'<g/>'.repeat(1000)}</g>${'<use href="#a0"/>'.repeat(100)}`],
    ['a group that uses itself', '<g id="a"><use href="#a"/></g>'],
    ['two groups that use each other', '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'],
    ['an endless chain of uses', Array.from({ length: 2000 }, (_, index) => `<use id="a${index}" href="#a${index + 1}"/>`).join('')],
  ])('%s', async (_, inside) => expect(await cleanText(svg(inside))).toBeUndefined())

  test('an overlong attribute is only dropped, and long paths stay', async () => {
    const long = 'a'.repeat(1001)
    const points = '1,2 '.repeat(1000)
    const drawn = `<style>.a{fill:${long};stroke:red}</style><g class="a" id="${long}" font-family="${long}"/><path d="M${points}"/><polygon points="${points}"/>`
    expect(await cleanText(svg(drawn))).toBe(svg(`<g stroke="red"/><path d="M${points}"/><polygon points="${points}"/>`))
  })

  test('parts, gradients, masks and patterns of usual drawings stay', async () => {
    const stops = '<stop offset="0"/>'.repeat(20)
    const drawn =
      `<defs><linearGradient id="g">${stops}</linearGradient><linearGradient id="h" href="#g"/><clipPath id="c">${star}</clipPath>` +
      `<pattern id="p"><path d="M0 0"/></pattern><symbol id="s"><use href="#a0"/><use href="#a0"/></symbol></defs>` +
      `<g clip-path="url(#c)" fill="url(#p)">${'<rect width="1" fill="url(#h)"/>'.repeat(500)}</g>${'<use href="#s"/>'.repeat(20)}`
    expect(await cleanText(svg(drawn))).toBe(svg(drawn))
  })
})

test('a data URL is read as bytes, whatever its media type', () => {
  expect(bytesOf(dataUrl('abc', 'text/html'))).toEqual(Buffer.from('abc'))
  for (const wrong of [
    '',
    'data:image/png,abc',
    'https://evil.example/x.png',
    'data:image/png;base64,',
    'data:image/png;base64,a b',
    '/api/files/x',
  ])
    expect(bytesOf(wrong)).toBeUndefined()
})
