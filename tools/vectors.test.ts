import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import own from '#common/kit/validators/vectors.json' with { type: 'json' }
import { mismatchOf } from './check-vector.ts'
import { rowsNaming } from './suite/spec-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'vectors-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the command on a file with this content; `undefined` means a missing file. */
function run(content: string | undefined): { code: number | null; out: string; err: string } {
  const file = join(folder, content === undefined ? 'none.json' : 'vectors.json')
  if (content !== undefined) writeFileSync(file, content)
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(import.meta.dirname, 'vectors.ts'), file], { encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

const good = { rule: 'required', locale: '*', value: 'a', valid: true }

describe('the own vectors', () => {
  for (const [index, vector] of own.entries())
    it(`#${index} ${vector.rule} of ${JSON.stringify(vector.value)?.slice(0, 60)}`, { tags: ['S5.22', ...rowsNaming(vector.rule)] }, () =>
      expect(mismatchOf(vector)).toBeUndefined(),
    )
})

describe('npm run vectors', () => {
  it('npm run vectors exits with 0 and one line if all agree', () =>
    expect(run(JSON.stringify([good]))).toEqual({ code: 0, out: '1 passed, 0 failed\n', err: '' }))

  it('npm run vectors prints every mismatch, and exits with 1', { tags: 'S5.22' }, () => {
    const { code, out } = run(
      JSON.stringify([
        good,
        { ...good, valid: false },
        { ...good, rule: 'nonesuch' },
        { ...good, locale: 'xx-XX' },
        7,
        { ...good, value: '' },
      ]),
    )
    expect(code).toBe(1)
    const lines = out.trim().split('\n')
    expect(lines).toHaveLength(6)
    expect(lines[0]).toMatch(/^#2 said valid in en-EN, expected invalid: /)
    expect(lines[1]).toMatch(/^#3 unknown rule 'nonesuch'/)
    expect(lines[2]).toMatch(/^#4 unknown locale 'xx-XX'/)
    expect(lines[3]).toMatch(/^#5 is no vector/)
    expect(lines[4]).toMatch(/^#6 said invalid in en-EN, expected valid: /)
    expect(lines[5]).toBe('1 passed, 5 failed')
  })

  it.each([undefined, '{', '{}', '"x"'])('exits with 2 and one clear line if the file is unreadable: %j', content => {
    const { code, out, err } = run(content)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  it('a rule’s result is compared with the expected one', { tags: 'S5.22' }, () => {
    const date = { rule: 'parseDate', locale: '*', value: '20/11/2026', valid: true }
    expect(mismatchOf({ ...date, expected: '2026-11-20' })).toBeUndefined()
    expect(mismatchOf({ ...date, expected: '2026-11-21' })).toContain('gave "2026-11-20"')
    expect(mismatchOf({ ...date, value: 'x', valid: false, expected: null })).toBeUndefined()
  })

  it.each([
    ['SW1A 1AA', 'en-EN'],
    ['1000-001', 'pt-PT'],
  ])('plays a vector for all languages in each: only %s is a postal code in %s', { tags: 'S5.22' }, (value, only) =>
    expect(mismatchOf({ rule: 'validCodPostal', locale: '*', value, valid: false })).toBe(`said valid in ${only}, expected invalid`),
  )

  it('the name of an object’s own method is not accepted as a rule', () =>
    expect(mismatchOf({ ...good, rule: 'constructor' })).toContain('unknown rule'))
})
