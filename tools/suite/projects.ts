import { matchesGlob } from 'node:path'

/** A group of test files that need the same things before they run. */
export type Project = { name: 'rules' | 'server' | 'portal' | 'e2e' | 'looks' | 'whole'; include: string[]; exclude: string[] }

/** The projects that only `npm run test:all` runs, and why. */
export const beyond: Partial<Record<Project['name'], string>> = {
  looks: 'pictures, axe, widths and first loads of every screen',
  whole: 'tests that start processes, build archives, or copy whole databases',
}

const wholeTests = ['**/*.whole.test.ts']

/** Tests of tools/ that run the service, or its built portal. */
const toolsWithService = ['tools/alarms.test.ts']

/** Slow tests that open no database, or an embedded one of their own. On a database server they would only repeat the same. */
export const sameOnServer = [
  'fakes/card-network/faults.test.ts',
  'fakes/card-network/main.whole.test.ts',
  'server/{command,main}.whole.test.ts',
  'server/config/{misspelt,own-folder}.whole.test.ts',
  'server/database/roles/ensure.whole.test.ts',
  'server/agency/logo/mutated.whole.test.ts',
  'server/documents/typesetting/{renderer,texts}.whole.test.ts',
  'server/kit/engine/engine.whole.test.ts',
  'server/kit/store/embedded.whole.test.ts',
  'server/kit/upload/inspect-file.test.ts',
  'server/kit/{workbook/workbook,workers/workers}.test.ts',
  'server/mail/transport.test.ts',
  'server/privacy/retention/scrub.whole.test.ts',
  'server/products/catalogue/{catalogue-command.whole,check}.test.ts',
]

const service = '{attacks,fakes,fault-tests,server}/**/*.test.ts'

const onEmbedded: Project[] = [
  { name: 'rules', include: ['{bench,common,tools}/**/*.test.ts'], exclude: [...toolsWithService, ...wholeTests] },
  { name: 'server', include: [service, ...toolsWithService], exclude: wholeTests },
  { name: 'portal', include: ['portal/**/*.test.{ts,tsx}'], exclude: [] },
  { name: 'e2e', include: ['e2e/*.e2e.ts'], exclude: [] },
  { name: 'looks', include: ['e2e/looks/*.e2e.ts'], exclude: [] },
  { name: 'whole', include: ['{attacks,common,fakes,fault-tests,server,tools}/**/*.whole.test.ts'], exclude: [] },
]

/** On a server, only the tests whose outcome can depend on the database run. */
const onServer: Project[] = [{ name: 'server', include: [service], exclude: sameOnServer }]

export const projects = process.env['TEST_DATABASE_URL'] ? onServer : onEmbedded

/** Test files whose service serves the built portal. */
export const usesBuiltPortal = (file: string): boolean =>
  ['e2e/**', 'attacks/**', 'tools/{proxied,serve}.whole.test.ts', 'tools/release/pack.whole.test.ts'].some(pattern =>
    matchesGlob(file, pattern),
  )

export const holds = ({ include, exclude }: Project, file: string): boolean =>
  include.some(pattern => matchesGlob(file, pattern)) && !exclude.some(pattern => matchesGlob(file, pattern))

export const projectOf = (file: string): Project['name'] | undefined => projects.find(each => holds(each, file))?.name
