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

/** Without a locale, a browser saves no file whose name has letters beyond ASCII. */
const env = { ...process.env, LC_ALL: 'C.UTF-8' }

/**
 * Opens the browser of CHROMIUM_PATH, else the one from the packages, else the system's. The packages' browser is the same everywhere and draws no
 * windows, which halves its work. It may lack libraries.
 */
export async function openBrowser(): Promise<Browser> {
  const path = process.env['CHROMIUM_PATH']
  if (path) return launch(path)
  const system = systemBrowsers.find(existsSync)
  if (headed && system) return launch(system)
  return packed()
    .then(launch)
    .catch((error: unknown) => {
      if (!system) throw error
      return launch(system)
    })
}

/** HEADED=1 shows the window, which the packages' browser does not have. */
const headed = Boolean(process.env['HEADED'])

const launch = (executablePath: string): Promise<Browser> => chromium.launch({ executablePath, args: quiet, env, headless: !headed })

/** Unpacks each version once. The folder gets its name only when it is complete, since several processes may unpack at once. */
async function packed(): Promise<string> {
  // Safe: every package.json has a version.
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

/** The browser's package always unpacks into the folder for temporary files. */
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
