import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

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

/** The browser that CHROMIUM_PATH names, else the system's, else the one that came with the packages. */
export async function openBrowser(): Promise<Browser> {
  const path = process.env['CHROMIUM_PATH'] ?? systemBrowsers.find(existsSync)
  if (path) return chromium.launch({ executablePath: path, args: quiet, env })
  const { default: packed } = await import('@sparticuz/chromium')
  return chromium.launch({ executablePath: await packed.executablePath(), args: ['--no-sandbox'], env })
}
