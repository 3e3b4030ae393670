import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { readRules } from './alarms.ts'

// Alarms, dashboard and manual agree with each other, and name only metrics that a running service has.

const root = join(import.meta.dirname, '..')
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

type Panel = { title: string; targets?: { expr: string; legendFormat: string }[] }
// Safe: the file is our own.
const dashboard = JSON.parse(textOf('deploy/grafana/portolan.json')) as { panels: Panel[] }
const rules = readRules()
const queries = [
  ...rules.map(({ alert, expr }) => ({ name: alert, expr, legend: '' })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ name: title, expr, legend: legendFormat })),
  ),
]

/** Labels with their values, by metric. */
const exposed = new Map<string, Map<string, Set<string>>>()
/** Prometheus itself adds these labels, and the metric of whether a target responds. */
const added = ['instance', 'job']

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await app.ask('/health/live')
  // Jobs have not started, so it responds with 503.
  await app.ask('/health/ready')
  for (const line of (await app.ask('/metrics')).text.split('\n')) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? []
    const known = exposed.get(name) ?? new Map<string, Set<string>>()
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value))
    exposed.set(name, known)
  }
  exposed.set('up', new Map([['job', new Set(['portolan'])]]))
})
afterAll(() => app.stop())

type Selector = { metric: string; matchers: { label: string; values: string[] }[] }

function selectorsOf(expr: string): Selector[] {
  return [...expr.matchAll(/\b(portolan_\w+|up)\b(?:\{([^}]*)\})?/g)].map(([, metric = '', inner = '']) => ({
    metric,
    matchers: [...inner.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label = '', values = '']) => ({ label, values: values.split('|') })),
  }))
}

const grouped = (expr: string): string[] => [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '))

test('there are alarms and panels to check', () => {
  expect([rules.length > 10, dashboard.panels.length > 15]).toEqual([true, true])
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
})

describe('every query reads metrics that the service exposes', () => {
  test.each(queries.map(query => [query.name, query] as const))('%s', (_name, { expr, legend }) => {
    const selectors = selectorsOf(expr)
    expect(selectors.length).toBeGreaterThan(0)
    for (const { metric, matchers } of selectors) {
      expect([...exposed.keys()]).toContain(metric)
      for (const { label, values } of matchers) expect([...(exposed.get(metric)?.get(label) ?? [])]).toEqual(expect.arrayContaining(values))
    }
    const labels = [...added, ...selectors.flatMap(({ metric }) => [...(exposed.get(metric)?.keys() ?? [])])]
    expect(labels).toEqual(expect.arrayContaining(grouped(expr)))
    const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    // Grouping keeps only the labels that it names.
    expect(grouped(expr).length > 0 ? grouped(expr) : labels).toEqual(expect.arrayContaining(shown))
  })
})

describe('docs/operations.md', () => {
  const section =
    textOf('docs/operations.md')
      .split(/^## /m)
      .find(text => text.startsWith('Health, metrics, alarms')) ?? ''
  const rows = section
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    )

  test('the page lists the alarms as the rules define them', () => {
    const listed = rows.filter(([name]) => name?.startsWith('`Portolan'))
    expect(listed).toEqual(rules.map(({ alert, summary, lasts, action }) => [`\`${alert}\``, summary, lasts, action]))
  })

  test('the page names each outcome of a metric by its label', () => {
    let named = 0
    for (const [name = '', meaning = ''] of rows) {
      const metric = /^`(portolan_\w+)`/.exec(name)?.[1] ?? ''
      const values = ['event', 'gateway', 'outcome', 'state'].flatMap(label => [...(exposed.get(metric)?.get(label) ?? [])])
      const literal = [...meaning.matchAll(/`([^`]+)`/g)].map(([, value = '']) => value)
      expect([metric, literal.toSorted()]).toEqual([metric, values.toSorted()])
      named += values.length
    }
    expect(named).toBeGreaterThan(20)
  })

  test('the page lists metrics with their labels', () => {
    const listed = rows.flatMap(([name = '']) => [...name.matchAll(/^`(portolan_\w+)`(?: \((.*)\))?$/g)])
    expect(listed.length).toBeGreaterThan(10)
    for (const [, metric = '', labels] of listed) {
      const series = exposed.get(metric) ?? exposed.get(`${metric}_count`)
      expect([metric, [...(series?.keys() ?? [])].toSorted()]).toEqual([metric, labels?.split(', ').toSorted() ?? []])
      expect(series, metric).toBeDefined()
    }
  })
})
