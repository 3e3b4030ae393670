/** The parts of vitest's JSON report that are read here. */
export type JsonReport = {
  numPassedTests: number
  testResults: { name: string; assertionResults: { status: string; ancestorTitles: string[]; title: string }[] }[]
}
