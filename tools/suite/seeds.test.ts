import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeEndings, trackedFiles } from '../counts/sources.ts'
import { numberOfRun, repeatLine, seedOf, takeSeed } from './seeds.ts'

describe('the seed of a property', () => {
  test('a seed comes from its file and title', () => {
    const here = seedOf('tools/suite/seeds.test.ts', 'the seed of a property > a seed comes from its file and title', numberOfRun())
    expect(fc.readConfigureGlobal()).toMatchObject({ seed: here })
    const drawn: number[] = []
    const property = fc.property(fc.integer(), value => void drawn.push(value))
    fc.assert(property)
    fc.assert(property, { seed: here })
    expect(drawn.slice(100)).toEqual(drawn.slice(0, 100))
  })

  test('a seed is the same in every run, and differs by file, title or number', () => {
    expect(seedOf('a', 'b')).toBe(1306376565)
    expect(new Set([seedOf('a', 'b'), seedOf('b', 'b'), seedOf('a', 'c'), seedOf('a', 'b', '1'), seedOf('a', 'b', '2')]).size).toBe(5)
  })
})

test('--seed and its value are removed from the words, in any position', () => {
  const taken = (...given: string[]) => {
    const environment = {}
    return [takeSeed(given, environment), numberOfRun(environment)]
  }
  expect(taken('money', '--seed', '4711', '-u')).toEqual([['money', '-u'], '4711'])
  expect(taken('--seed=4711')).toEqual([[], '4711'])
  expect(taken('money')).toEqual([['money'], undefined])
  expect(taken('--seed', 'random')).toEqual([[], expect.stringMatching(/^\d{1,6}$/)])
})

test('--seed without a whole number is refused', () => {
  for (const given of [[], ['money'], ['-1'], ['1.5'], ['']]) expect(takeSeed(['--seed', ...given], {})).toContain('whole number')
})

test('a run that explores shows the command that repeats it', () => {
  expect(repeatLine('npm test', ['money', '-t', "a buyer's price"], '7')).toBe(
    String.raw`Seed 7. To repeat: npm test -- money -t 'a buyer'\''s price' --seed 7`,
  )
})

test('no code draws from Math.random or from the clock, except a tab’s mark', () => {
  const chance = /Math\.random\(|\b(?:seed|openRandom)\b[^\n]{0,30}(?:Date\.now\(|new Date\(\)\.getTime|performance\.now)|Date\.now\(\) %/
  const drawing = trackedFiles(codeEndings).flatMap(({ path, text }) => (chance.test(text) ? [path] : []))
  expect(drawing).toEqual(['portal/kit/stores.ts'])
})
