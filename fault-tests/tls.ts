import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultTest, Result } from './fault-test.ts'
import { asker, sell, signIn } from '#testing/agent.ts'
import { type Postgres, startPostgres } from '#testing/postgres.ts'
import { startService } from '#testing/service.ts'

/** Creates a certificate authority and a server certificate for localhost that it has signed. */
function makeAuthority(folder: string, name: string): string {
  const at = (file: string) => join(folder, `${name}${file}`)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...fresh, '-days', '2', '-subj', `/CN=${name}`, '-keyout', at('-ca.key'), '-out', at('-ca.pem'))
  openssl('req', ...fresh, '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', at('.key'), '-out', at('.csr'))
  openssl(
    'x509',
    '-req',
    '-in',
    at('.csr'),
    '-CA',
    at('-ca.pem'),
    '-CAkey',
    at('-ca.key'),
    '-CAcreateserial',
    '-days',
    '2',
    '-copy_extensions',
    'copy',
    '-out',
    at('.pem'),
  ) // prettier-ignore
  return at('-ca.pem')
}

async function connect(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-tls-'))
  const home = mkdtempSync(join(tmpdir(), 'portolan-pg-'))
  const [right, wrong] = [makeAuthority(home, 'ours'), makeAuthority(folder, 'theirs')]
  let [secured, plain]: (Postgres | undefined)[] = []
  try {
    restrictKey(home)
    const settings = { ssl: 'on', ssl_cert_file: join(home, 'ours.pem'), ssl_key_file: join(home, 'ours.key') }
    secured = await startPostgres({ folder: home, settings })
    plain = await startPostgres()
    return await tryAll(secured, plain, { right, wrong, folder: join(folder, 'data') })
  } finally {
    await secured?.remove()
    await plain?.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Setup = { right: string; wrong: string; folder: string }

async function tryAll(secured: Postgres, plain: Postgres, { right, wrong, folder }: Setup): Promise<Result> {
  const url = (postgres: Postgres, query: string, host = 'localhost') => `${postgres.url().replace('127.0.0.1', host)}?${query}`
  const verified = (authority: string) => `sslmode=verify-full&sslrootcert=${authority}`
  const problems: string[] = []
  const refused = async (name: string, databaseUrl: string, pattern: RegExp) => {
    const result = await sellBy(databaseUrl, folder).then(
      () => 'sold',
      (error: unknown) => String(error),
    )
    if (!pattern.test(result)) problems.push(`${name}: ${result}`)
  }
  await sellBy(url(secured, verified(right)), folder)
  const [used] =
    await secured.query(`select count(*)::int as many from pg_stat_ssl join pg_stat_activity using (pid) where not ssl and datname = 'portolan'
    and pid <> pg_backend_pid()`)
  if (used?.['many'] !== 0) problems.push('a connection was not encrypted')
  const unsafe = (why: string) => new RegExp(`ready:\\n*The connection to DATABASE_URL is not safe: .*${why}`)
  await refused('another authority', url(secured, verified(wrong)), unsafe('certificate'))
  await refused('another name', url(secured, verified(right), '127.0.0.1'), unsafe('does not match'))
  await refused('a server without TLS', url(plain, verified(right)), unsafe('does not support SSL'))
  // The other database is another installation, so it needs its own file store.
  await sellBy(url(plain, 'sslmode=disable'), `${folder}-plain`)
  return { counts: { refused: 3, sold: 2 }, problems }
}

async function sellBy(databaseUrl: string, folder: string): Promise<void> {
  const node = await startService({ environment: { DATABASE_URL: databaseUrl, DATA_DIR: folder, LOG_LEVEL: 'error' } })
  const agent = await signIn(
    asker(() => node.origin),
    'agent@azahar.example',
  )
  try {
    await sell(agent)
  } finally {
    await node.stop()
  }
}

/** Makes the key readable by PostgreSQL's user only, as PostgreSQL requires. */
function restrictKey(home: string): void {
  const key = join(home, 'ours.key')
  chmodSync(home, 0o755)
  chmodSync(key, 0o600)
  if (process.getuid?.() !== 0) return
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  for (const path of [key, join(home, 'ours.pem')]) chownSync(path, id('-u'), statSync(path).gid)
}

export const tls: FaultTest[] = [
  {
    id: 'database-tls',
    title: 'TLS to PostgreSQL with the right authority, another one, another host name, and none',
    invariant: 'with verify-full only the right authority allows a sale; any other ends the start with one clear message',
    needs: 'PostgreSQL',
    run: connect,
  },
]
