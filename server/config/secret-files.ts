import { readFileSync } from 'node:fs'
import type { ConfigFault } from './settings.ts'

/** What is or may hold a secret: each can be read from a file that `…_FILE` names, as containers and systemd hand them over. */
const secrets = [
  'DATABASE_URL',
  'SECRETS_KEY',
  'FILE_STORE',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'INBOUND_MAIL_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
]

export const secretFileNames = secrets.map(name => `${name}_FILE`)
export const settingOfFile = (name: string): string => name.replace(/_FILE$/, '')

type Given = Record<string, string | undefined>

/** Each secret in its setting's place, whichever way it was given. No fault tells what is in a file. */
export function readSecretFiles(present: Given): { given: Given; faults: ConfigFault[] } {
  const given = Object.fromEntries(Object.entries(present).filter(([name]) => !secretFileNames.includes(name)))
  const faults: ConfigFault[] = []
  for (const file of secretFileNames) {
    const [name, path] = [settingOfFile(file), present[file]]
    if (path === undefined) continue
    if (given[name] !== undefined) faults.push({ name: file, fault: `and ${name} are both set: choose one` })
    else {
      const content = contentOf(path)
      if ('fault' in content) faults.push({ name: file, fault: content.fault })
      else given[name] = content.text
    }
  }
  return { given, faults }
}

function contentOf(path: string): { text: string } | { fault: string } {
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return text.trim() === '' ? { fault: `names ${path}, which is empty` } : { text }
  } catch (error) {
    return { fault: `names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}
