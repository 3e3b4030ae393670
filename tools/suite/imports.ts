import { readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { root } from '../processes.ts'

/** Returns the file and all of our files that it loads, directly or not. Type imports load nothing. */
export function filesLoadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, type, fixed, dynamic] of readFileSync(join(root, file), 'utf8').matchAll(importPattern)) {
    const imported = type ? undefined : pathOf(fixed ?? dynamic ?? '', file)
    if (imported && statSync(join(root, imported), { throwIfNoEntry: false })?.isFile()) filesLoadedBy(imported, found)
  }
  return found
}

const importPattern = /^(?:import|export)\s(type\s)?[^'"]*?(?:from\s*)?'([^']+)'|\bimport\(\s*'([^']+)'/gm

function pathOf(name: string, from: string): string | undefined {
  if (name.startsWith('#')) return name.slice(1)
  return name.startsWith('.') ? relative(root, resolve(root, from, '..', name)) : undefined
}
