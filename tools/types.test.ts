import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { bin, environment, root, run } from './processes.ts'

type Config = { files?: string[]; references?: { path: string }[] }

// Safe: the files are TypeScript configurations that the compiler accepts.
const parse = (text: string): Config => JSON.parse(text) as Config
const projects = parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).references?.map(({ path }) => path) ?? []

/** Returns the source files that a project includes, from the root, without their imports. */
async function filesOf(project: string): Promise<string[]> {
  const { output } = await run(bin('tsc'), ['--showConfig', '-p', project])
  const folder = project.endsWith('.json') ? join(root, project, '..') : join(root, project)
  return (parse(output).files ?? []).map(file => relative(root, resolve(folder, file)))
}

/** Returns the compiler's output for a file with the settings of a project. */
async function compile(project: string, text: string): Promise<string> {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/types-test-'))
  try {
    const config = {
      extends: join(root, project, 'tsconfig.json'),
      include: ['probe.ts'],
      exclude: [],
      compilerOptions: { incremental: false },
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    writeFileSync(join(folder, 'probe.ts'), text)
    return (await run(bin('tsc'), ['-p', folder])).output
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('every tracked source file belongs to exactly one TypeScript project', async () => {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts'], { cwd: root, env: environment, encoding: 'utf8' })
  const tracked = listed.split('\n').filter(file => file && !file.endsWith('.d.ts'))
  const included = (await Promise.all(projects.map(filesOf))).flat()
  const counts = Map.groupBy(included, file => file)
  expect(tracked.length).toBeGreaterThan(1000)
  expect(tracked.filter(file => counts.get(file)?.length !== 1)).toEqual([])
})

test.each([
  ['common', 'process'],
  ['common', 'document'],
  ['server', 'document'],
  ['portal', 'process'],
])('%s cannot use %s', async (project, name) => {
  expect(await compile(project, `export const it = ${name}`)).toContain(`Cannot find name '${name}'`)
  expect(await compile(project, 'export const it: number = 1')).toBe('')
})

test('portal cannot use node:fs', async () => {
  expect(await compile('portal', "import { readFileSync } from 'node:fs'\nexport const it = readFileSync")).toContain("'node:fs'")
})
