/**
 * A recorded break: a small change after which a test of its row in docs/spec-coverage.md, or of its attack, must fail.
 * `find` occurs exactly once in the file.
 */
export type Break = {
  /** The row's id, such as S4.2, that of an attack, such as E75, or a decision. */
  row: string
  file: string
  find: string
  replace: string
  /** The test files of the row that detect it. */
  tests: string[]
  /** Selects tests by a part of their title instead of the row's tag: for the vectors of a rule, and for attacks. */
  title?: string
}

const vectorTests = 'tools/vectors.test.ts'

/** A break that the own vectors of a rule must detect. */
export const vectorBreak = (row: string, rule: string, file: string, find: string, replace: string): Break => ({
  row,
  file: `common/kit/validators/${file}`,
  find,
  replace,
  tests: [vectorTests],
  title: ` ${rule} of `,
})
