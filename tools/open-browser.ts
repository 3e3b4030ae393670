import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const root = join(import.meta.dirname, '..')
const cache = join(root, '.cache')
const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable']
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Where no language is set, a browser saves no file under a name with letters of another than English. */
const env = { ...process.env, LC_ALL: 'C.UTF-8' }

/**
 * The browser that CHROMIUM_PATH names, else the one that came with the packages: the same everywhere, and without the windows that a system's
 * draws unseen, half of its work. Where that one finds no libraries, the system's.
 */
export async function openBrowser(): Promise<Browser> {
  const path = process.env['CHROMIUM_PATH']
  if (path) return launch(path)
  const system = systemBrowsers.find(existsSync)
  return packed()
    .then(launch)
    .catch((error: unknown) => {
      if (!system) throw error
      return launch(system)
    })
}

const launch = (executablePath: string): Promise<Browser> => chromium.launch({ executablePath, args: quiet, env })

/** Unpacked once for each version, into a folder that has its name only when it is whole: several may want it at the same moment. */
async function packed(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8')) as { version: string }
  const place = join(cache, `chromium-${version}`)
  if (!existsSync(place)) {
    mkdirSync(cache, { recursive: true })
    const making = mkdtempSync(`${place}-`)
    await unpackInto(making)
    try {
      renameSync(making, place)
    } catch (error) {
      rmSync(making, { recursive: true })
      if (!existsSync(place)) throw error
    }
  }
  return join(place, 'chromium')
}

/** Its package unpacks into the folder for temporary files. */
async function unpackInto(folder: string): Promise<void> {
  const { default: browser } = await import('@sparticuz/chromium')
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    await browser.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
