import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { TestProject } from 'vitest/node'
import { root } from '../processes.ts'
import { buildPortal } from '../ready.mjs'
import { usesBuiltPortal } from './projects.ts'
import { ensureTemplate } from './template.ts'

/** Prepares the built portal and the database template that the chosen test files need. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await prepareFor(project, await chosenFiles(project))
  const server = process.env['TEST_DATABASE_URL']
  if (!server) {
    // During a watch, the files to run and the migrations change.
    project.onTestsRerun(specs =>
      prepareFor(
        project,
        specs.filter(spec => spec.project === project).map(spec => spec.moduleId),
      ),
    )
    return () => Promise.resolve()
  }
  const { buildTemplateOn, dropTemplateOn } = await import('./build-template.ts')
  const name = `portolan_template_${process.pid}_${project.name}`
  await buildTemplateOn(server, name)
  project.provide('template', { server, name })
  return () => dropTemplateOn(server, name)
}

/** Returns the files chosen by the command's words, which vitest does not document, or all files. */
async function chosenFiles(project: TestProject): Promise<string[]> {
  const { vitest } = project
  const filters = 'filenamePattern' in vitest && Array.isArray(vitest.filenamePattern) ? vitest.filenamePattern : []
  return (await project.globTestFiles(filters)).testFiles
}

async function prepareFor(project: TestProject, files: string[]): Promise<void> {
  if (files.some(file => usesBuiltPortal(relative(root, file)))) await buildPortal(process.execPath)
  if (!process.env['TEST_DATABASE_URL'] && (project.name !== 'portal' || files.some(opensService)))
    project.provide('template', { dump: await ensureTemplate() })
}

/** Most tests of the portal are pure; some use a real service. */
const opensService = (file: string): boolean => readFileSync(file, 'utf8').includes("from '#server/")
