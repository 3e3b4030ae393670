import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from '#testing/postgres.ts'
import { until } from '#tools/until.ts'

/** A separate Prometheus that scrapes one server and evaluates the alarms with shorter times. */
export type Prometheus = {
  /** Returns the alarms that are firing. */
  firing(): Promise<string[]>
  stop(): Promise<void>
}

const rules = join(import.meta.dirname, '../../deploy/prometheus/rules.yml')
/** Long enough for a scrape that times out on the database. */
const scrapeSeconds = 3

export function prometheusProgram(): string | undefined {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map(folder => join(folder, 'prometheus'))
  return candidates.find(path => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

export async function startPrometheus(target: string): Promise<Prometheus> {
  const program = prometheusProgram()
  if (!program) throw new Error('Prometheus is not installed: on Debian, apt-get install prometheus')
  const folder = mkdtempSync(join(tmpdir(), 'portolan-prometheus-'))
  const port = await freePort()
  writeFileSync(join(folder, 'rules.yml'), withShortTimes(readFileSync(rules, 'utf8')))
  writeFileSync(
    join(folder, 'prometheus.yml'),
    `global:
  scrape_interval: ${scrapeSeconds}s
  scrape_timeout: ${scrapeSeconds}s
  evaluation_interval: 1s
rule_files: [rules.yml]
scrape_configs:
  - job_name: portolan
    static_configs:
      - targets: ['${target}']
`,
  )
  const server = spawn(
    program,
    [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: 'ignore', cwd: folder },
  )
  const exited = new Promise(resolve => server.once('exit', resolve))
  // Safe: the API of Prometheus responds in this format.
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json() as Promise<{ data: ApiResponse }>
  const prometheus: Prometheus = {
    async firing() {
      const { data } = await ask('/api/v1/alerts')
      return [...new Set((data.alerts ?? []).flatMap(({ state, labels }) => (state === 'firing' ? [labels.alertname] : [])))]
    },
    async stop() {
      server.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await until('Prometheus’ first values', async () => {
    const { data } = await ask('/api/v1/query?query=portolan_database_up').catch((): { data: ApiResponse } => ({ data: {} }))
    return data.result?.length
  })
  return prometheus
}

type ApiResponse = { alerts?: { state: string; labels: { alertname: string } }[]; result?: unknown[] }

/** Shortens the alarms' times to seconds, without changing their conditions. */
const withShortTimes = (text: string): string =>
  text.replace(/for: [1-9]\d*[mh]/g, `for: ${scrapeSeconds + 1}s`).replace(/\[\d+m\]/g, `[${5 * scrapeSeconds}s]`)
