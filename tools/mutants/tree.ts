import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../processes.ts'

/** Made by the setup, so that the copy need not make them again. */
const generated = ['common/locales/ids.d.ts', 'dist/portal', '.cache/test-databases', '.cache/portal.stamp', '.cache/words.stamp']

/** Copies the working tree to a folder in which files may be broken. Packages and the browser are shared. */
export function copyTree(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const sources = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const path of [...sources.split('\0').filter(Boolean), ...generated]) {
    if (!existsSync(join(root, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path), { recursive: true, preserveTimestamps: true })
  }
  const browsers = existsSync(join(root, '.cache')) ? readdirSync(join(root, '.cache')).filter(name => name.startsWith('chromium-')) : []
  mkdirSync(join(folder, '.cache'), { recursive: true })
  for (const shared of ['node_modules', ...browsers.map(name => `.cache/${name}`)]) symlinkSync(join(root, shared), join(folder, shared))
}
