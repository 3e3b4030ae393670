import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Returns the modules that a file loads. Type imports load nothing. */
function loadedBy(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const names = [...text.matchAll(/^(?:import|export)\s(?!type\s)(?:[^'"]*?from\s*)?'([^']+)'|\bimport\(\s*'([^']+)'/gm)]
  return names.map(([, still, late]) => still ?? late ?? '').map(name => moduleOf(name, file))
}

function moduleOf(name: string, from: string): string {
  if (name.startsWith('#')) return name.slice(1)
  return name.startsWith('.') ? relative(root, join(root, dirname(from), name)) : name
}

/** Returns the chain of imports from a file to a schema that it loads, or undefined. */
function wayToSchemas(file: string, seen: Set<string>): string[] | undefined {
  for (const module of loadedBy(file)) {
    if (/^zod\b|[/-]schemas(?:\.ts|\/)/.test(module)) return [file, module]
    if (seen.has(module) || !/\.tsx?$/.test(module) || !existsSync(join(root, module))) continue
    seen.add(module)
    const way = wayToSchemas(module, seen)
    if (way) return [file, ...way]
  }
  return undefined
}

test('no module that the browser loads imports a schema', () => {
  const files = globSync('portal/**/*.{ts,tsx}', { cwd: root }).filter(file => !/\.test\.tsx?$|testing\.ts$/.test(file))
  expect(files.length).toBeGreaterThan(200)
  const seen = new Set<string>()
  expect(files.flatMap(file => wayToSchemas(file, seen)?.join(' → ') ?? [])).toEqual([])
})
