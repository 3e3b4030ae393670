import { describe, expect, it } from 'vitest'
import { nearPatterns, nearWord } from './near.ts'
import { isAboutPerson, type PhoneSought, personSought } from './person-sought.ts'

describe('a search text', () => {
  it.each([
    ['12345678-z', '12345678Z'],
    [' AAB 123 456 ', 'AAB123456'],
    ['1234', null],
    ['García', null],
    ['ana@example.es', null],
  ])('%j is read as the document %j', (text, document) => expect(personSought(text)?.document ?? null).toBe(document))

  it.each([
    ['Ana@Example.es', 'ana@example.es'],
    ['ana.gar', 'ana.gar'],
    ['an', null],
    ['ana garcía', null],
    ['a@b@c', null],
  ])('%j is read as the email %j', (text, email) => expect(personSought(text)?.email ?? null).toBe(email))

  it.each<[text: string, phones: PhoneSought[]]>([
    ['612 34', [{ digits: '61234', prefix: null }]],
    ['+34 6', []],
    ['+34 6123', [{ digits: '6123', prefix: '34' }]],
    ['06 12 34 56 7', [{ digits: '61234567', prefix: null }]],
    ['1000', []],
    ['612a', []],
  ])('%j is read as the phones %j', (text, phones) =>
    expect(personSought(text)?.phones ?? []).toEqual(phones.length === 0 ? [] : expect.arrayContaining(phones)),
  )

  it('a search text is about a person only if it is more than one word', () => {
    const about = (text: string) => {
      const sought = personSought(text)
      return sought !== undefined && isAboutPerson(sought)
    }
    expect(['garcia', 'ana.gar', 'ana@', '12345678z', '61234', ''].map(about)).toEqual([false, false, true, true, true, false])
  })
})

describe('a similar word', () => {
  it.each([
    ['Ferándo', 'ferando'],
    ["O'Connor", "o'connor"],
    ['garci', undefined],
    ["o'neal", undefined],
    ['ferrando soler', undefined],
    ['1000001-w', undefined],
    ['%%%%%%', undefined],
  ])('is searched for %j as %j', (text, word) => expect(nearWord(text)).toBe(word))

  it.each([
    ['ferando', 'ferrando'],
    ['ferrrando', 'ferrando'],
    ['ferrabdo', 'ferrando'],
    ['feraando', 'ferrando'],
    ['ferradno', 'ferrando'],
    ['ferarndo', 'ferrando'],
    ['efrrando', 'ferrando'],
    ['gerrando', 'ferrando'],
    ['errando', 'ferrando'],
    ['oconnor', "o'connor"],
    ["o'connor", 'oconnor'],
    ['o’connor', "o'connor"],
  ])('%j is similar to %j, of which it has a part', (typed, name) => {
    const { similar, parts } = nearPatterns(nearWord(typed) ?? '')
    const text = `1000001-w ${name} lopez`
    expect(new RegExp(similar.replaceAll(/\\[mM]/g, String.raw`\b`)).test(text)).toBe(true)
    expect(parts.some(part => text.includes(part))).toBe(true)
  })

  it.each(['ferrando', 'ferandoz', 'fermado', 'ferdo', 'xferxando'])('%j and “fernado” differ too much, or not at all', name => {
    const { similar } = nearPatterns('fernado')
    expect(new RegExp(similar.replaceAll(/\\[mM]/g, String.raw`\b`)).test(name)).toBe(name === 'fermado')
  })
})
