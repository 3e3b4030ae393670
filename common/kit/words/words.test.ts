import { compileMessage } from '@lingui/message-utils/compileMessage'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Message, type Params, say } from './words.ts'

// Safe: the compiler returns messages.
const format = (text: string, params?: Params, tag = 'es-ES') => say(compileMessage(text) as Message, tag, params)

describe('a message', () => {
  it.each<[string, Params | undefined, string]>([
    ['Nada', undefined, 'Nada'],
    ['De {from} a {to}', { from: 'Roma', to: 7 }, 'De Roma a 7'],
    ['{many, number} filas', { many: 1234567.5 }, '1.234.567,5 filas'],
    ['{n, plural, one {# fila} other {# filas}}', { n: 1 }, '1 fila'],
    ['{n, plural, one {# fila} other {# filas}}', { n: 20_000 }, '20.000 filas'],
    ['{n, plural, one {# fila} other {# filas}}', { n: 2749 }, '2.749 filas'],
    ['{n, plural, =0 {ninguna} one {una} other {#}} de {n, plural, other {{n}}}', { n: 0 }, 'ninguna de 0'],
    ['{kind, select, claim {siniestro} other {consulta}}', { kind: 'claim' }, 'siniestro'],
    ['{kind, select, claim {siniestro} other {consulta}}', { kind: 'toString' }, 'consulta'],
    ['{n, plural, other {{kind, select, a {# a} other {# {kind}}}}}', { n: 3, kind: 'b' }, '3 b'],
    ['Falta {name}', {}, 'Falta '],
    ['Habitación # 4, it’s', undefined, 'Habitación # 4, it’s'],
  ])('%s', (text, params, expected) => {
    expect(format(text, params)).toBe(expected)
  })

  it('a message follows each language’s plural rules', () => {
    const text = '{n, plural, one {uno} other {altri}}'
    expect(['en-GB', 'fr-FR', 'pt-PT'].map(tag => format(text, { n: 0 }, tag))).toEqual(['altri', 'uno', 'altri'])
  })

  it('a message shows any parameter unchanged', () => {
    fc.assert(fc.property(fc.string(), text => format('«{text}»', { text }) === `«${text}»`))
  })
})
