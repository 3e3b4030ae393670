import type { AppContext } from '#server/kit/app-context.ts'

export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  maxLength?: number
  items?: Schema
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
}
/** The parts of an operation that the page shows. */
export type Operation = {
  summary: string
  description?: string
  operationId?: string
  tags?: string[]
  security?: Record<string, []>[]
  'x-needs': string
  parameters: { name: string; in: string; required: boolean; schema: Schema; description?: string }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema: Schema }> }>
}
export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string; license: Record<string, string>; contact: Record<string, string> }
  servers: { url: string; description: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, unknown>; securitySchemes: Record<string, unknown> }
}

/** Serves the OpenAPI document as a page. It has no script, and its style is a separate file, as the page policy requires. */
export function serveDocsPage(context: AppContext, document: () => OpenApiDocument): void {
  let page: string | undefined
  context.http.get('/api/docs', (_request, reply) => {
    page ??= write(document())
    return reply.header('cache-control', 'public, max-age=300').type('text/html; charset=utf-8').send(page)
  })
  context.http.get('/api/docs.css', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('text/css; charset=utf-8').send(style),
  )
}

function write({ info, paths, components }: OpenApiDocument): string {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  const contents = calls.map(({ name }) => `<li><a href="#${anchor(name)}">${escape(name)}</a></li>`).join('')
  const { Failure: _, ...named } = components.schemas
  const parts = Object.entries(named).map(([name, schema]) => table(name, fieldsOf(schema)))
  const codes = (components.schemas['Failure']?.properties?.['error']?.enum ?? [])
    .map(code => `<li><code>${escape(String(code))}</code></li>`)
    .join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(info.title)} API</title><link rel="stylesheet" href="/api/docs.css"></head><body>
<header><h1>${escape(info.title)} API</h1><p>${escape(info.description)} The same as a document: <a href="/api/openapi.json">openapi.json</a>.</p></header>
<nav aria-label="Calls"><ul>${contents}</ul></nav><main>${calls.map(section).join('')}<section id="parts"><h2>Parts that several calls share</h2>${parts.join('')}</section><section id="refusals"><h2>Refusals</h2><ul>${codes}</ul></section></main></body></html>`
}

function section({ name, operation }: { name: string; operation: Operation }): string {
  const body = operation.requestBody && Object.entries(operation.requestBody.content)[0]
  const reply = Object.values(operation.responses['200']?.content ?? {})[0]?.schema
  return `<section id="${anchor(name)}"><h2><code>${escape(name)}</code></h2><p>${escape(operation.summary)}. Needs: <strong>${escape(operation['x-needs'])}</strong>.</p>
${table(
  'Parameters',
  operation.parameters.map(({ name: field, in: location, required, schema }) => [field, `${kind(schema)} (${location})`, required]),
)}
${body ? table(`Body, ${body[0]}`, fieldsOf(body[1].schema)) : ''}
${reply ? table('Reply', fieldsOf(reply.properties?.['data'] ?? reply)) : ''}</section>`
}

type Field = [name: string, kind: string, required: boolean]

/** Returns every field with its path from the top: `users[].docNumber`. */
function fieldsOf(schema: Schema, path = ''): Field[] {
  const whole = schema.anyOf?.find(each => each.properties || each.items) ?? schema
  if (whole.items) return fieldsOf(whole.items, `${path}[]`)
  return Object.entries(whole.properties ?? {}).flatMap(([name, field]): Field[] => {
    const here = path ? `${path}.${name}` : name
    return [[here, kind(field), whole.required?.includes(name) ?? false], ...fieldsOf(field, here)]
  })
}

function kind(schema: Schema): string {
  if (schema.$ref) return nameIn(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(kind).join(' | ')
  if (schema.items) return `list of ${kind(schema.items)}`
  return [schema.type ?? 'anything', schema.format].flat().filter(Boolean).join(', ')
}

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? ''

const table = (title: string, fields: Field[]): string =>
  fields.length === 0
    ? ''
    : `<table><caption>${escape(title)}</caption><thead><tr><th scope="col">Field</th><th scope="col">Kind</th><th scope="col">Needed</th></tr></thead><tbody>${fields
        .map(
          ([name, text, required]) =>
            `<tr><td><code>${escape(name)}</code></td><td>${escape(text)}</td><td>${required ? 'yes' : ''}</td></tr>`,
        )
        .join('')}</tbody></table>`

const anchor = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const style = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1.5rem}
nav ul{columns:2;padding-left:1rem}section{border-top:1px solid color-mix(in srgb,currentColor 20%,transparent);margin-top:2rem}
h2{font-size:1.1rem}table{border-collapse:collapse;width:100%;margin:1rem 0}caption{text-align:left;font-weight:600;padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.25rem .5rem;border-bottom:1px solid color-mix(in srgb,currentColor 15%,transparent)}@media(max-width:40rem){nav ul{columns:1}td{overflow-wrap:anywhere}}`
