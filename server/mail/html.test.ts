import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOfHtml } from './html.ts'

test.each([
  ['<p>One</p><p>Two<br/>three</p>', 'One\n\nTwo\nthree'],
  ['<div>One</div><div><br></div><div>Two <b>and</b>\n three</div>', 'One\n\nTwo and three'],
  ['<STYLE>p > a { }</STYLE><script>1 < 2</script><!-- <p>no</p> --><!DOCTYPE html>Yes', 'Yes'],
  ['<ul><li>ski</li><li>surf</li></ul>', 'ski\nsurf'],
  ['Now:<blockquote><p>Then<blockquote>before</blockquote></p></blockquote>after', 'Now:\n\n> Then\n\n> before\n\nafter'],
  ['&iquest;Qu&eacute;? &Agrave;&nbsp;2&#160;&euro; &#x2713; &lt;b&gt; &unknown; 1 < 2', '¿Qué? À 2 € ✓ <b> &unknown; 1 < 2'],
  ['<style>never closed <p>lost', ''],
  ['a <b', 'a <b'],
])('the text of %j is extracted', (html, text) => expect(textOfHtml(html)).toBe(text))

test('any input is accepted', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '</p>',
    '<p ',
    '<!--',
    '-->',
    '&',
    ';',
    '#x',
    '<style>',
    'a',
    '\n',
    '<blockquote>',
    '</blockquote>',
  )
  fc.assert(fc.property(fc.array(piece), pieces => typeof textOfHtml(pieces.join('')) === 'string'))
})
