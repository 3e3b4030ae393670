/**
 * A recorded break: a small change of the product after which a test of that row of docs/spec-coverage.md must fail.
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
}
