import { readFileSync } from 'node:fs'
import type { ConfigProblem } from './settings.ts'

/** The settings that are or may contain a secret. Each can be read from a file that `…_FILE` names, as containers and systemd provide them. */
const secrets = [
  'DATABASE_URL',
  'SECRETS_KEY',
  'BACKUP_KEY',
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

type Values = Record<string, string | undefined>

/** Returns the values with each secret under its setting's name, whichever way it was set. No problem quotes a file's content. */
export function readSecretFiles(present: Values): { values: Values; problems: ConfigProblem[] } {
  const values = Object.fromEntries(Object.entries(present).filter(([name]) => !secretFileNames.includes(name)))
  const problems: ConfigProblem[] = []
  for (const file of secretFileNames) {
    const [name, path] = [settingOfFile(file), present[file]]
    if (path === undefined) continue
    if (values[name] !== undefined) problems.push({ name: file, problem: `and ${name} are both set: choose one` })
    else {
      const content = contentOf(path)
      if ('problem' in content) problems.push({ name: file, problem: content.problem })
      else values[name] = content.text
    }
  }
  return { values, problems }
}

function contentOf(path: string): { text: string } | { problem: string } {
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return text.trim() === '' ? { problem: `names ${path}, which is empty` } : { text }
  } catch (error) {
    // Safe: readFileSync throws nothing but system errors.
    return { problem: `names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}
