import { spawn } from 'node:child_process'
import { environment, root } from '../processes.ts'

type Advisory = { title?: string; url?: string }
type Vulnerability = { name: string; severity: string; range: string; via: (string | Advisory)[] }
type Report = { vulnerabilities?: Record<string, Vulnerability> }

/** Returns known vulnerabilities as lines to print. If the registry cannot be reached, one line says so. */
export async function knownVulnerabilities(registry?: string, patienceMs = 5_000): Promise<string[]> {
  const report = await ask(patienceMs, registry)
  if (!report?.vulnerabilities) return ['Known vulnerabilities: not asked, as the registry does not answer.']
  const found = Object.values(report.vulnerabilities).map(({ name, severity, range, via }) => {
    const why = via.map(each => (typeof each === 'string' ? `through ${each}` : [each.title, each.url].filter(Boolean).join(' ')))
    return `  ${severity}: ${name} ${range}: ${why.join('; ')}`
  })
  return [`Known vulnerabilities: ${found.length === 0 ? 'none' : found.length}`, ...found]
}

function ask(patienceMs: number, registry?: string): Promise<Report | undefined> {
  const args = [
    'audit',
    '--json',
    '--package-lock-only',
    '--fetch-retries=0',
    `--fetch-timeout=${patienceMs}`,
    ...(registry ? [`--registry=${registry}`] : []),
  ]
  const windows = process.platform === 'win32'
  const child = spawn(windows ? 'npm.cmd' : 'npm', args, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: windows,
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stdout.on('data', data => {
    output += String(data)
  })
  return new Promise(resolve => {
    child.once('error', () => resolve(undefined))
    child.once('close', () => {
      try {
        // Safe: npm prints this report.
        resolve(JSON.parse(output) as Report)
      } catch {
        resolve(undefined)
      }
    })
  })
}
