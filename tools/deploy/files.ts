import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settingNames } from '#server/config.ts'
import type { Check } from './samples.ts'
import { compose, given, nodeEnvironment, sample } from './samples.ts'

const isSetting = (name: string): boolean =>
  [...settingNames, ...settingNames.map(each => `${each}_FILE`), 'NODE_COMPILE_CACHE'].includes(name)

/** The longest time that the service takes to stop, after STOP_DELAY_MS. */
const ownStopMs = 25_000
const mostExposure = 2

export async function fileChecks(check: Check): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-unit-'))
  const unit = join(folder, 'portolan.service')
  const text = sample('portolan.service')
  // This machine has its Node in another folder.
  writeFileSync(unit, text.replace('/usr/bin/node', process.execPath))

  await check('the systemd unit is understood', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    deepEqual([status, stderr], [0, ''])
  })
  await check(`its exposure is under ${mostExposure}`, () => {
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], { encoding: 'utf8' })
    const exposure = Number(/exposure level for portolan\.service: ([\d.]+)/.exec(said)?.[1])
    ok(exposure < mostExposure, `it is ${exposure}`)
    return String(exposure)
  })
  await check('it names settings that there are, and hands over each secret that it names', () => {
    const named = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs = '']) => pairs.split(' '))
    const example = [...sample('portolan.env.example').matchAll(/^(?:# )?([A-Z_]+=.*)$/gm)].map(([, pair = '']) => pair)
    deepEqual(
      [...named, ...example].map(pair => pair.split('=')[0] ?? '').filter(name => !isSetting(name)),
      [],
    )
    const handed = [...text.matchAll(/^LoadCredential=([\w-]+):/gm)].map(([, name = '']) => name)
    deepEqual(named.flatMap(pair => /=%d\/(.+)$/.exec(pair)?.[1] ?? []).sort(), handed.sort())
  })
  await check('it waits longer for a stop than the service takes', () => {
    const delay = Number(/^STOP_DELAY_MS=(\d+)$/m.exec(sample('portolan.env.example'))?.[1])
    ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) * 1000 > delay + ownStopMs)
  })
  rmSync(folder, { recursive: true })

  const { services, secrets } = compose()
  await check('the image runs as an unprivileged user and has a health check', () => {
    deepEqual([given('USER'), given('STOPSIGNAL')], [['10001:10001'], ['SIGTERM']])
    ok(given('HEALTHCHECK').join('').includes('/health/live'))
    deepEqual([...given('ENTRYPOINT'), ...given('CMD')], ['["node", "bin/portolan.mjs"]', '["serve"]'])
  })
  await check(
    'both nodes of compose.yaml have the same settings, which there are, and may write nowhere but where they keep things',
    () => {
      deepEqual(services.one, services.two)
      const { read_only, cap_drop, security_opt, volumes, stop_grace_period } = services.one
      deepEqual([read_only, cap_drop, security_opt], [true, ['ALL'], ['no-new-privileges:true']])
      deepEqual(volumes, [`kept:${given('VOLUME')[0]}`])
      deepEqual(
        Object.keys(nodeEnvironment()).filter(name => !isSetting(name)),
        [],
      )
      ok(Number.parseInt(stop_grace_period, 10) * 1000 > Number(nodeEnvironment()['STOP_DELAY_MS']) + ownStopMs)
    },
  )
  await check('every secret that compose.yaml names is a file, and no setting holds one', () => {
    for (const { secrets: wanted = [] } of Object.values(services)) for (const name of wanted) ok(secrets[name]?.file, name)
    deepEqual(
      Object.entries(services.one.environment)
        .flatMap(([name, value]) => (name.endsWith('_FILE') ? [value] : []))
        .sort(),
      services.one.secrets.map(name => `/run/secrets/${name}`).sort(),
    )
    equal(/password|key=|:\/\/[^/\s]+:[^/\s]+@/i.test(JSON.stringify(services.one.environment)), false)
  })
}
