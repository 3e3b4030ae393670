import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeEntities, type Token, tokensOf } from './xml.ts'

const read = (text: string): string[] => [...tokensOf(text)].map(written)
function written(token: Token): string {
  if (token.kind === 'open') return `<${token.name}${[...token.attributes].map(([name, value]) => ` ${name}=${value}`).join('')}>`
  if (token.kind === 'close') return `</${token.name}>`
  if (token.kind === 'text') return token.text
  return token.kind === 'doctype' ? `doctype${token.hasDeclarations ? ' with declarations' : ''}` : token.kind
}

test.each([
  ['<a b="1" c=\'2\'>x<d/></a>', ['<a b=1 c=2>', 'x', '<d>', '</d>', '</a>']],
  ['<?xml version="1.0"?><!-- <b> --><svg:a xlink:href="#i"/>', ['<svg:a xlink:href=#i>', '</svg:a>']],
  ['<a><![CDATA[<b>&x;]]></a>', ['<a>', '<b>&amp;x;', '</a>']],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg/>', ['doctype', '<svg>', '</svg>']],
  ['<!DOCTYPE a [<!ENTITY x "y">]><a/>', ['doctype with declarations']],
  ['<!DOCTYPE '.repeat(3), ['doctype with declarations']],
  ['<a b=c>x', ['invalid']],
  ['<a b="1" b="2"/>', ['invalid']],
  ['<a b="<"/>', ['invalid']],
  [`<a ${Array.from({ length: 1001 }, (_, index) => `b${index}=""`).join(' ')}/>`, ['invalid']],
  ['x<!-- y', ['x', 'invalid']],
  ['<a', ['invalid']],
])('the tokens of %j are in order, and end at the first invalid one', (text, expected) => {
  expect(read(text)).toEqual(expected)
})

test.each([
  ['a &amp; &lt;b&gt; &#65;&#x42; &quot;&apos;', 'a & <b> AB "\'', true],
  ['&nbsp;&#65;', '&nbsp;A', false],
  ['a & b', 'a & b', false],
  ['&#xD800;', '\ud800', false],
  ['&#0;', '\0', false],
  ['&#99999999999;', '&#99999999999;', false],
  ['\u0001', '\u0001', false],
])('the entities of %j are decoded', (text, expected, isValid) => {
  expect(decodeEntities(text)).toEqual({ text: expected, isValid })
})

test('any text is read to its end or its first invalid token', () => {
  const parts = [
    '<',
    '</',
    '/>',
    '>',
    '<!',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE',
    '[',
    '<?',
    '?>',
    'a',
    'b="',
    "'",
    '&',
    ' ',
    '=',
  ]
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 3 })), { maxLength: 60 }), pieces => {
      const text = pieces.join('')
      const tokens = [...tokensOf(text)]
      expect(tokens.length).toBeLessThanOrEqual(2 * text.length)
      expect(tokens.slice(0, -1).every(({ kind }) => kind !== 'invalid')).toBe(true)
      for (const token of tokens)
        if (token.kind === 'text') expect(decodeEntities(token.text).text.length).toBeLessThanOrEqual(5 * text.length)
    }),
  )
})
