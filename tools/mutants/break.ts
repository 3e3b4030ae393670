/**
 * A recorded break: a small change after which a test of its row in docs/spec-coverage.md must fail.
 * `find` stands exactly once in the file.
 */
export type Break = {
  /** The row's id: S4.2. */
  row: string
  file: string
  find: string
  replace: string
  /** The files with the row's tests that notice it. */
  tests: string[]
  /** Selects tests by a part of their title instead of the row's tag: for the vectors of a rule. */
  title?: string
}

const vectorTests = 'tools/vectors.test.ts'

/** A break that the own vectors of a rule must notice. */
export const vectorBreak = (row: string, rule: string, file: string, find: string, replace: string): Break => ({
  row,
  file: `common/kit/validators/${file}`,
  find,
  replace,
  tests: [vectorTests],
  title: ` ${rule} of `,
})
