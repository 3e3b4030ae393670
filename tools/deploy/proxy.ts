import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { root } from '../processes.ts'
import { until } from '../until.ts'
import { sample } from './samples.ts'

/** An installed proxy with its sample from deploy/, on loopback. */
export type Proxy = {
  name: 'caddy' | 'nginx'
  origin: string
  /** Removes a node before it stops, if the proxy does not detect that by itself. */
  takeOut(port: number): Promise<void>
  /** Returns the proxy's log, which names the responses that it buffered on disk. */
  log(): string
  stop(): Promise<void>
}

const programs: Record<Proxy['name'], string> = { caddy: 'caddy', nginx: 'nginx' }

const withSystemFolders = () => ({ ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin` })

export async function startCaddy(folder: string, port: number, plainPort: number, nodes: number[]): Promise<Proxy> {
  const own = join(folder, 'caddy')
  mkdirSync(own, { recursive: true })
  const config = join(own, 'Caddyfile')
  const globals = ['admin off', 'skip_install_trust', 'default_bind 127.0.0.1', `http_port ${plainPort}`, `https_port ${port}`]
  writeFileSync(config, `{\n${globals.join('\n')}\n}\nimport ${join(root, 'deploy/Caddyfile')}\n`)
  const child = run(programs.caddy, ['run', '--adapter', 'caddyfile', '--config', config], join(own, 'log'), {
    XDG_DATA_HOME: own,
    XDG_CONFIG_HOME: own,
    PORTOLAN_SITE: 'https://localhost',
    PORTOLAN_NODES: nodes.map(each => `127.0.0.1:${each}`).join(' '),
  })
  await until('Caddy’s first response', () => answers(port))
  trust(readFileSync(join(own, 'caddy/pki/authorities/local/root.crt'), 'utf8'))
  return { name: 'caddy', origin: `https://localhost:${port}`, takeOut: async () => {}, ...handle(child, join(own, 'log')) }
}

export async function startNginx(folder: string, port: number, plainPort: number, nodes: number[]): Promise<Proxy> {
  const own = join(folder, 'nginx')
  mkdirSync(own, { recursive: true })
  const [key, certificate] = [join(own, 'key.pem'), join(own, 'certificate.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', certificate, ...subject], { stdio: 'ignore' })
  trust(readFileSync(certificate, 'utf8'))
  const write = (down?: number) => {
    const site = changed(sample('nginx.conf'), [
      ['server 127.0.0.1:3001 ', `server 127.0.0.1:${nodes[0]} ${down === nodes[0] ? 'down ' : ''}`],
      ['server 127.0.0.1:3002 ', `server 127.0.0.1:${nodes[1]} ${down === nodes[1] ? 'down ' : ''}`],
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen [::]:80;', ''],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
      ['listen [::]:443 ssl http2;', ''],
      ['/etc/ssl/portolan/fullchain.pem', certificate],
      ['/etc/ssl/portolan/key.pem', key],
      ['portal.example', 'localhost'],
    ])
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${join(own, kind)};`)
    const head = `daemon off;\npid ${join(own, 'pid')};\nerror_log ${join(own, 'log')} warn;\nerror_log stderr notice;\nevents { worker_connections 1024; }\n`
    // Keeps name and port in Host, as Debian's nginx.conf does.
    writeFileSync(join(own, 'nginx.conf'), `${head}http {\n${temporary.join('\n')}\naccess_log off;\n${site}\n}\n`)
  }
  write()
  execFileSync(programs.nginx, ['-t', '-q', '-c', join(own, 'nginx.conf'), '-e', join(own, 'log')], { env: withSystemFolders() })
  const child = spawn(programs.nginx, ['-c', join(own, 'nginx.conf'), '-e', join(own, 'log')], {
    env: withSystemFolders(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const workers = followWorkers(child)
  await until('nginx’s first response', () => answers(port))
  return {
    name: 'nginx',
    origin: `https://localhost:${port}`,
    async takeOut(node) {
      const finished = workers.allFinished()
      write(node)
      child.kill('SIGHUP')
      await finished
    },
    ...handle(child, join(own, 'log')),
  }
}

function run(program: string, args: string[], log: string, environment: Record<string, string> = {}): ChildProcess {
  const command = `exec "$@" >>"$LOG" 2>&1`
  return spawn('sh', ['-c', command, program, program, ...args], {
    env: { ...withSystemFolders(), ...environment, LOG: log },
    stdio: 'ignore',
  })
}

function handle(child: ChildProcess, log: string): Pick<Proxy, 'log' | 'stop'> {
  return {
    log: () => readFileSync(log, 'utf8'),
    async stop() {
      const gone = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
    },
  }
}

function changed(text: string, changes: [string, string][]): string {
  return changes.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`the sample has no '${from}' any more`)
    return now.replaceAll(from, to)
  }, text)
}

/** Follows nginx's messages about its workers. After a reload, old workers finish their requests and end. */
function followWorkers(child: ChildProcess): { allFinished(): Promise<void> } {
  const living = new Set<string>()
  const events = new EventEmitter()
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', line => {
      const [, started] = /start worker process (\d+)/.exec(line) ?? []
      const [, ended] = /worker process (\d+) exited/.exec(line) ?? []
      if (started) living.add(started)
      if (ended && living.delete(ended)) events.emit('ended')
    })
  return {
    async allFinished() {
      const old = [...living]
      while (old.some(pid => living.has(pid))) await once(events, 'ended')
    },
  }
}

const trust = (certificate: string): void => setDefaultCACertificates([...getCACertificates('default'), certificate])

/** Says whether a handshake succeeds. Caddy listens before it has made its certificate, and refuses connections until then. */
const answers = (port: number): Promise<true | undefined> =>
  new Promise(resolve => {
    // Which certificate it shows is verified by every request after this.
    const line = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false })
    line.once('secureConnect', () => {
      line.destroy()
      resolve(true)
    })
    line.once('error', () => resolve(undefined))
  })
