import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonReport } from '#tools/suite/json-report.ts'
import { bin, run } from '#tools/processes.ts'
import type { Outcome } from './run-cases.ts'

/** Cases that a running server cannot show, each with the test that covers it. */
const elsewhere: { id: string; title: string; test: string; named: string }[] = [
  {
    id: 'B31',
    title: 'a guessed or omitted second factor',
    test: 'server/session/second-factor/second-factor.test.ts',
    named: 'B31',
  },
  {
    id: 'B32',
    title: 'OpenID Connect: state, nonce, PKCE, code, issuer',
    test: 'server/session/external/oidc.test.ts',
    named: 'state, nonce and PKCE',
  },
  { id: 'B29b', title: 'one network in many spellings, and a known device', test: 'server/session/sign-in/throttle.test.ts', named: 'B29' },
  {
    id: 'G116',
    title: 'a hundred sales in seconds to a stranger’s address',
    test: 'server/policies/sale/allowance.test.ts',
    named: 'registering and purchasing share one quota',
  },
  {
    id: 'A126',
    title: 'one administrator who makes a second one, to be both pairs of eyes of a bordereau',
    test: 'server/administration/bordereau/four-eyes.test.ts',
    named: 'a new administrator releases nothing',
  },
  {
    id: 'A126b',
    title: 'the same by a chain of makers, or by two administrators of one maker',
    test: 'server/administration/bordereau/four-eyes.test.ts',
    named: 'the bordereau of someone tied to them',
  },
  {
    id: 'B112b',
    title: 'a sign-in cookie without the __Host- prefix over https',
    test: 'server/session/cookies.test.ts',
    named: 'B112',
  },
  { id: 'F85', title: 'test keys in production, live keys outside it', test: 'server/config.test.ts', named: 'live' },
  {
    id: 'E67',
    title: 'archives with paths, links and duplicate names',
    test: 'server/kit/upload/inspect-file.test.ts',
    named: 'a path out of the archive',
  },
  {
    id: 'E68',
    title: 'web pages, programs and polyglot files uploaded as documents',
    test: 'server/tickets/uploads.test.ts',
    named: 'as a download under a safe name',
  },
  {
    id: 'D55',
    title: 'markup in names on documents',
    test: 'server/documents/pdf/documents.test.ts',
    named: 'a name with markup is printed as plain text',
  },
  {
    id: 'D62',
    title: 'file names that break headers',
    test: 'server/kit/http/download.test.ts',
    named: 'characters that could break a header',
  },
  {
    id: 'E70',
    title: 'endless and huge uploads',
    test: 'server/tickets/uploads.test.ts',
    named: 'is cut off when a gigabyte is announced, or else at the limit',
  },
]

/** Runs those tests, because the existence of a test does not show that it passes. */
export async function runElsewhere(): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-elsewhere-'))
  const path = join(folder, 'report.json')
  const began = performance.now()
  try {
    const files = [...new Set(elsewhere.map(({ test }) => test))]
    await run(bin('vitest'), ['run', ...files, '--reporter=json', `--outputFile=${path}`])
    // Safe: vitest writes the file in this format.
    const report = JSON.parse(readFileSync(path, 'utf8')) as JsonReport
    return elsewhere.map(each => outcomeOf(each, report, performance.now() - began))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function outcomeOf({ id, title, test, named }: (typeof elsewhere)[number], { testResults }: JsonReport, ms: number): Outcome {
  const found = testResults
    .filter(({ name }) => name.endsWith(`/${test}`))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(each => [...each.ancestorTitles, each.title].some(part => part.includes(named)))
  const problems = found.filter(({ status }) => status !== 'passed').map(({ title, status }) => `${title}: ${status}`)
  if (found.length === 0) problems.push(`no test with the name ${named} was run`)
  return { id, title: `${title} (${test})`, verdict: problems.length > 0 ? 'failed' : 'passed', problems, responses: 0, ms }
}
