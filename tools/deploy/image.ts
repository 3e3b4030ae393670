import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { asker } from '#testing/agent.ts'
import { root } from '../processes.ts'
import { pack } from '../release/pack.ts'
import type { Check } from './samples.ts'

/**
 * Builds deploy/Containerfile on a base of Debian's packages and the pinned Node, without a registry. It runs in a chroot, which buildah offers where
 * no container can be made. This tests neither a read-only root nor a separate network.
 */
export async function imageChecks(check: Check): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-image-'))
  // This folder contains everything and is deleted at the end.
  const store = ['--storage-driver', 'vfs', '--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
  const buildah = (...args: string[]) =>
    execFileSync('buildah', [...store, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  try {
    await check('the image is built on a base of Debian’s packages and Node', async () => {
      const archive = await pack(join(folder, 'release'))
      const base = join(folder, 'base')
      const packages = 'base-files,netbase,tzdata,ca-certificates,libc6,libstdc++6,libgcc-s1'
      execFileSync('mmdebstrap', ['--quiet', '--variant=extract', `--include=${packages}`, 'bookworm', base], { stdio: 'ignore' })
      mkdirSync(join(base, 'usr/local/bin'), { recursive: true })
      execFileSync('install', ['-m', '755', process.execPath, join(base, 'usr/local/bin/node')])
      const made = buildah('from', 'scratch')
      buildah('add', '-q', made, base, '/')
      buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', made)
      buildah('commit', '-q', made, 'portolan-base')
      const file = join(root, 'deploy/Containerfile')
      const args = [
        '--build-arg',
        'BASE=localhost/portolan-base',
        '--build-arg',
        `RELEASE=${archive.split('/').at(-1)?.replace('.tar.gz', '')}`,
      ]
      buildah('bud', '-q', '--format', 'docker', '--isolation', 'chroot', ...args, '-f', file, '-t', 'portolan', join(folder, 'release'))
      return `image ${sizeOf(buildah, 'portolan')} MB, of which base and Node ${sizeOf(buildah, 'portolan-base')} MB`
    })
    await check('the image serves as an unprivileged user', async () => {
      const container = buildah('from', 'portolan')
      const settings = { PUBLIC_URL: 'https://localhost', SMTP_URL: 'smtp://127.0.0.1:9', PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' }
      const given = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`])
      const inside = (...args: string[]) => [...store, 'run', '--isolation', 'chroot', ...given, container, '--', 'node', ...args]
      equal(execFileSync('buildah', inside('-p', 'process.getuid()'), { encoding: 'utf8' }).trim(), '10001')
      // The first start creates the embedded database; the second is measured.
      await started(inside('bin/portolan.mjs', 'serve'))
      return `ready after ${Math.round(await started(inside('bin/portolan.mjs', 'serve')))} ms, buildah's own start included`
    })
  } finally {
    execFileSync('buildah', [...store, 'rm', '--all'], { stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
}

function sizeOf(buildah: (...args: string[]) => string, image: string): string {
  // Safe: buildah lists images in this format.
  const [found] = JSON.parse(buildah('images', '--json', image)) as { size: string }[]
  return found?.size.replace(/\s*MB$/, '') ?? ''
}

/** Starts the image, checks its health, and stops it gracefully. */
async function started(args: string[]): Promise<number> {
  const began = performance.now()
  const child = spawn('buildah', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('ready ')) continue
    const ms = performance.now() - began
    const { status, headers } = await asker(() => line.slice('ready '.length))('/health/live')
    deepEqual([status, headers.has('content-type')], [200, true])
    // The service gets the signal, as buildah would end without stopping it.
    process.kill(serviceBelow(child.pid ?? 0), 'SIGTERM')
    equal(await ended, 0)
    return ms
  }
  ok(false, 'it ended before it was ready')
  return 0
}

/** Returns the last of a chain of processes, each the only child of the previous one. */
function serviceBelow(pid: number): number {
  const parents = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  for (let at = pid; ; ) {
    const child = parents.find(([, parent]) => parent === at)?.[0]
    if (child === undefined) return at
    at = child
  }
}
