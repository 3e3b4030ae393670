import type { Random } from '#common/kit/random.ts'
import type { Json } from '#testing/agent.ts'

export type Schema = Json

/** Returns a value that fits the schema. Known values are inserted by field name. */
export function sampleOf(schema: Schema, name: string, known: Record<string, Json>, random: Random): Json {
  if (Object.hasOwn(known, name)) return structuredClone(known[name])
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[random.below(schema.enum.length)]
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return sampleOf(choice, name, known, random)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return objectOf(schema, known, random)
    case 'array':
      return [sampleOf(schema.items ?? {}, '', known, random)]
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return random.fraction() < 0.5
    case 'string':
      return textOf(schema)
    default:
      return 'x'
  }
}

function objectOf(schema: Schema, known: Record<string, Json>, random: Random): Json {
  const required: string[] = schema.required ?? []
  const fields = Object.entries<Schema>(schema.properties ?? {})
  const chosen = fields.filter(([field]) => required.includes(field) || Object.hasOwn(known, field) || random.fraction() < 0.7)
  return Object.fromEntries(chosen.map(([field, inner]) => [field, sampleOf(inner, field, known, random)]))
}

function textOf({ format, minLength = 1 }: Schema): string {
  if (format === 'uuid') return crypto.randomUUID()
  if (format === 'date') return '2027-03-01'
  if (format === 'email') return 'fuzz@e.example'
  return 'x'.repeat(Math.max(minLength, 1))
}
