import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An alarm of deploy/prometheus/rules.yml. */
export type Rule = { alert: string; expr: string; lasts: string; severity: string; summary: string; action: string }

const rule =
  /^ {6}- alert: (\w+)\n {8}expr: (.+)\n {8}for: (\w+)\n {8}labels:\n {10}severity: (page|ticket)\n {8}annotations:\n {10}summary: (.+)\n {10}action: (.+)\n/
const head = /^(?:#.*\n)+groups:\n {2}- name: portolan\n {4}rules:\n/

/** Reads the file in the one format of its rules. Anything else is an error, so that no rule is missed. */
export function readRules(): Rule[] {
  let rest = readFileSync(join(import.meta.dirname, '../deploy/prometheus/rules.yml'), 'utf8')
  const begin = head.exec(rest)
  if (!begin) throw new Error('rules.yml does not begin as it should')
  rest = rest.slice(begin[0].length)
  const rules: Rule[] = []
  while (rest !== '') {
    const [whole, alert = '', expr = '', lasts = '', severity = '', summary = '', action = ''] = rule.exec(rest) ?? []
    if (!whole) throw new Error(`rules.yml: not in the form of a rule: ${rest.slice(0, 200)}`)
    rules.push({ alert, expr, lasts, severity, summary, action })
    rest = rest.slice(whole.length)
  }
  return rules
}
