import { deflateSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bytesOf, cleanLogo } from './clean.ts'
import { dataUrl, pngOf, webps } from './testing.ts'

const clean = async (content: Buffer | string) => cleanLogo(Buffer.from(content))
const svg = (inside: string, attributes = 'viewBox="0 0 9 9"') => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`
const cleanText = async (text: string) => (await clean(text))?.content.toString()

describe('png', () => {
  test('what draws stays; texts, profiles and whatever follows the end are gone', async () => {
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
    ['pixels that cannot be unfolded', pngOf({ idat: Buffer.from('nonsense') })],
    ['more pixels than the head says', pngOf({ idat: deflateSync(Buffer.alloc(50_000_000)) })],
    ['a side that is too long', pngOf({ width: 2049, height: 1 })],
    ['no side', pngOf({ width: 0, height: 4, idat: deflateSync(Buffer.alloc(4)) })],
    ['a broken check', Buffer.concat([pngOf().subarray(0, 20), Buffer.from([1]), pngOf().subarray(21)])],
    ['no end', pngOf().subarray(0, -12)],
    ['the signature alone', pngOf().subarray(0, 8)],
  ])('%s is no logo', async (_, bytes) => expect(await clean(bytes)).toBeUndefined())
})

describe('webp', () => {
  test('the picture stays, alone', async () => {
    for (const bytes of Object.values(webps)) expect(await clean(bytes)).toEqual({ mediaType: 'image/webp', content: bytes })
    const exif = Buffer.concat([Buffer.from('EXIF'), Buffer.from([4, 0, 0, 0]), Buffer.from('GPS!')])
    const noted = Buffer.concat([webps.lossless, exif])
    noted.writeUInt32LE(noted.length - 8, 4)
    expect((await clean(noted))?.content).toEqual(webps.lossless)
    expect((await clean(Buffer.concat([webps.lossy, Buffer.from('<script>')])))?.content).toEqual(webps.lossy)
  })

  test.each([
    ['an animation', Buffer.concat([webps.lossy.subarray(0, 12), Buffer.from('ANIM'), Buffer.alloc(4), webps.lossy.subarray(12)])],
    ['a part that ends nowhere', webps.lossy.subarray(0, 30)],
    ['sound', Buffer.from('RIFF....WAVEfmt ........')],
    ['a GIF that says it is one', Buffer.from('GIF89a/*')],
  ])('%s is no logo', async (_, bytes) => {
    const riff = Buffer.from(bytes)
    if (riff.toString('latin1', 0, 4) === 'RIFF' && riff.length >= 8) riff.writeUInt32LE(riff.length - 8, 4)
    expect(await clean(riff)).toBeUndefined()
  })
})

describe('svg', () => {
  test('the demo’s own logos stay what they are', async () => {
    for (const name of ['azahar', 'rotta']) {
      const text = readFileSync(join(import.meta.dirname, `../../../catalogue/logos/${name}.svg`), 'utf8')
      const cleaned = (await cleanText(text)) ?? ''
      const tags = (source: string) => source.match(/<[a-z]+/g)
      expect(tags(cleaned)).toEqual(tags(text.replaceAll(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')))
      expect(await cleanText(cleaned)).toBe(cleaned)
    }
  })

  test('E68: nothing that runs, asks elsewhere or is foreign is left', async () => {
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

  test('colours survive, however a drawing program wrote them', async () => {
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

  test('a declaration and a document type that declare nothing are passed over', async () => {
    const text = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><!-- by hand -->${svg('<path d="M0 0"/>')}`
    expect(await cleanText(text)).toBe(svg('<path d="M0 0"/>'))
  })

  test.each([
    ['entities', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`],
    ['an entity that nobody declared', svg('<text>&nbsp;</text>')],
    ['tags that do not meet', '<svg viewBox="0 0 1 1"><g></svg></g>'],
    ['an attribute twice', '<svg viewBox="0 0 1 1" viewBox="0 0 2 2"/>'],
    ['two roots', svg('') + svg('')],
    ['no size', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'],
    ['a page', '<html><body><svg viewBox="0 0 1 1"/></body></html>'],
    ['text after the end', `${svg('')}<script>`],
    ['another encoding', Buffer.from(svg('<path/>'), 'utf16le')],
    ['a GIF with a script', 'GIF89a/*<svg viewBox="0 0 1 1"/>*/=alert(1)'],
    ['a PDF', '%PDF-1.7 <svg viewBox="0 0 1 1"/>'],
    ['nothing', ''],
    ['depth without end', svg('<g>'.repeat(100) + '</g>'.repeat(100))],
    ['more than anybody draws', svg('<g/>'.repeat(6000))],
  ])('%s is no logo', async (_, text) => expect(await clean(text)).toBeUndefined())

  test('E68: what is made to hold a reader up is read, or refused, all the same', async () => {
    const names = Array.from({ length: 30_000 }, (_, place) => ` a${place}="1"`).join('')
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
    expect(await cleanText(svg(`<path d="${'('.repeat(300_000)}"/>`))).toContain('((((')
  })
})

/** Each level draws the one before it eight times. */
const nested = (depth: number, level: (inside: string, name: string, before: string) => string) =>
  Array.from({ length: depth }, (_, place) => level(`<use href="#a${place}"/>`.repeat(8), `a${place + 1}`, `a${place}`)).join('')
const star = `<path id="a0" d="M0 0${'h1v1'.repeat(2500)}"/>`

describe('a drawing that swells is no logo', () => {
  test.each([
    ['a class with a long word', `<style>.a{fill:${'a'.repeat(990)}}</style>${'<g class="a"/>'.repeat(2000)}`],
    ['parts that draw others', `<defs>${star}${nested(7, (inside, name) => `<g id="${name}">${inside}</g>`)}</defs><use href="#a7"/>`],
    ['symbols that draw others', `${star}${nested(7, (inside, name) => `<symbol id="${name}">${inside}</symbol>`)}<use href="#a7"/>`],
    [
      'parts that are drawn behind masks',
      `${star}${nested(7, (_, name, before) => `<mask id="${name}">${`<g mask="url(#${before})"/>`.repeat(8)}</mask>`)}<g mask="url(#a7)"/>`,
    ],
    [
      'patterns of patterns',
      `${star}${nested(7, (_, name, before) => `<pattern id="${name}"><g fill="url(#${before})">${'<g/>'.repeat(8)}</g></pattern>`)}<g fill="url(#a7)"/>`,
    ],
    [
      'the same by a class',
      `<style>${nested(7, (_, name, before) => `.${name}{stroke:url('#${before}')}`)}</style>${star}${nested(7, (_, name) => `<pattern id="${name}"><g class="${name}">${'<g/>'.repeat(8)}</g></pattern>`)}<g stroke="url(#a7)"/>`,
    ],
    ['a long path, often', `${star}${'<use href="#a0"/>'.repeat(300)}`],
    ['many shapes, often', `<g id="a0">${'<g/>'.repeat(1000)}</g>${'<use href="#a0"/>'.repeat(100)}`],
    ['what draws itself', '<g id="a"><use href="#a"/></g>'],
    ['what draws itself by way of another', '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'],
    ['a way without end', Array.from({ length: 2000 }, (_, place) => `<use id="a${place}" href="#a${place + 1}"/>`).join('')],
  ])('%s', async (_, inside) => expect(await cleanText(svg(inside))).toBeUndefined())

  test('a word that is too long is left out; a path and its points are not', async () => {
    const long = 'a'.repeat(1001)
    const points = '1,2 '.repeat(1000)
    const drawn = `<style>.a{fill:${long};stroke:red}</style><g class="a" id="${long}" font-family="${long}"/><path d="M${points}"/><polygon points="${points}"/>`
    expect(await cleanText(svg(drawn))).toBe(svg(`<g stroke="red"/><path d="M${points}"/><polygon points="${points}"/>`))
  })

  test('what a drawing program makes of parts, gradients, masks and patterns stays', async () => {
    const stops = '<stop offset="0"/>'.repeat(20)
    const drawn =
      `<defs><linearGradient id="g">${stops}</linearGradient><linearGradient id="h" href="#g"/><clipPath id="c">${star}</clipPath>` +
      `<pattern id="p"><path d="M0 0"/></pattern><symbol id="s"><use href="#a0"/><use href="#a0"/></symbol></defs>` +
      `<g clip-path="url(#c)" fill="url(#p)">${'<rect width="1" fill="url(#h)"/>'.repeat(500)}</g>${'<use href="#s"/>'.repeat(20)}`
    expect(await cleanText(svg(drawn))).toBe(svg(drawn))
  })
})

test('a data URL is read as bytes, whatever it calls them; anything else is none', () => {
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
