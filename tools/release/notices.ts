import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../processes.ts'
import type { Package } from './packages.ts'

/** Matches files with a licence's text or its author's notice. */
export const isLegal = (file: string): boolean => /^(?:licen[cs]e|copying|notice|copyright)/i.test(file)

/** Returns the licence texts of the archive, each once, below the packages to which it applies. */
export function noticesOf(packages: Package[]): string {
  const texts = new Map<string, string[]>()
  for (const { name, version, place, license } of packages) {
    const folder = join(root, place)
    const files = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isFile() && isLegal(entry.name))
    const own = files
      .map(entry => readFileSync(join(folder, entry.name), 'utf8').replaceAll('\r\n', '\n').trim())
      .sort()
      .join('\n\n')
    const text = own || `These bring no text of their own and name their licence alone: ${license}.`
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`])
  }
  const line = '='.repeat(100)
  const parts = [...texts].map(([text, names]) => `${line}\n${names.join('\n')}\n${line}\n\n${text}\n`)
  return ['Portolan is sent out together with the packages below, each under its own licence.\n', ...parts].join('\n')
}
