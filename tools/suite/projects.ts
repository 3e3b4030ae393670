import { matchesGlob } from 'node:path'

/** A group of test files that need the same things before they run. */
export type Project = { name: 'rules' | 'server' | 'portal' | 'e2e'; include: string[]; exclude: string[] }

/** Tests of tools/ that run the service, or its built portal. */
const toolsWithService = ['tools/{alarms,dev,proxied,serve}.test.ts', 'tools/release/pack.test.ts']

/** Tests that take long and open no database, or an embedded one of their own: beside a server they would do the same once more. */
export const sameOnServer = [
  'fakes/card-network/{faults,main}.test.ts',
  'server/{command,main}.test.ts',
  'server/config/{misspelt,own-folder}.test.ts',
  'server/database/roles/ensure.test.ts',
  'server/documents/pdf/renderer.test.ts',
  'server/kit/store/embedded.test.ts',
  'server/kit/upload/inspect-file.test.ts',
  'server/kit/{workbook/workbook,workers/workers}.test.ts',
  'server/mail/transport.test.ts',
  'server/products/catalogue/{catalogue-command,check}.test.ts',
]

const onEmbedded: Project[] = [
  { name: 'rules', include: ['{bench,common,tools}/**/*.test.ts'], exclude: toolsWithService },
  { name: 'server', include: ['{attacks,fakes,fault-tests,server}/**/*.test.ts', ...toolsWithService], exclude: [] },
  { name: 'portal', include: ['portal/**/*.test.{ts,tsx}'], exclude: [] },
  { name: 'e2e', include: ['e2e/**/*.e2e.ts'], exclude: [] },
]

/** On a server, only the tests whose outcome can depend on the database run. */
const onServer: Project[] = [
  { name: 'server', include: ['{attacks,fakes,fault-tests,server}/**/*.test.ts'], exclude: sameOnServer },
  { name: 'e2e', include: ['e2e/{funnel,policies}.e2e.ts'], exclude: [] },
]

export const projects = process.env['TEST_DATABASE_URL'] ? onServer : onEmbedded

/** Test files whose service serves the built portal. */
export const usesBuiltPortal = (file: string): boolean =>
  ['e2e/**', 'attacks/**', 'tools/{proxied,serve}.test.ts', 'tools/release/pack.test.ts'].some(pattern => matchesGlob(file, pattern))

export const holds = ({ include, exclude }: Project, file: string): boolean =>
  include.some(pattern => matchesGlob(file, pattern)) && !exclude.some(pattern => matchesGlob(file, pattern))

export const projectOf = (file: string): Project['name'] | undefined => projects.find(each => holds(each, file))?.name
