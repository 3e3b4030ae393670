import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Break } from './break.ts'

/** Breaks the file in that tree and returns the undo. Throws if the break no longer fits the file. */
export function apply({ row, file, find, replace }: Break, tree: string): () => void {
  const path = join(tree, file)
  const whole = readFileSync(path, 'utf8')
  const count = whole.split(find).length - 1
  if (count !== 1) throw new Error(`${row}: ${file} holds ${count} times: ${find}`)
  writeFileSync(
    path,
    whole.replace(find, () => replace),
  )
  return () => writeFileSync(path, whole)
}
