import type { Operation, Schema } from '#server/kit/openapi/docs-page.ts'

const id = { type: 'integer' }
const text = { type: 'string' }

const reply = (fields: Record<string, Schema>) => ({
  description: 'Done',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['success', 'content'],
        properties: {
          success: { const: true },
          content: { type: 'array', items: { type: 'object', required: Object.keys(fields), properties: fields } },
        },
      },
    },
  },
})

const notFound = {
  description: 'An unknown id',
  content: { 'application/json': { schema: { type: 'object', required: ['success'], properties: { success: { const: false } } } } },
}

const operation = (summary: string, fields: Record<string, Schema>, parameters: Operation['parameters']) => ({
  get: { summary, 'x-needs': 'nothing', security: [], parameters, responses: { 200: reply(fields), 404: notFound } },
})

const inPath = (name: string, schema: Schema = id) => [{ name, in: 'path', required: true, schema }]

/** The geography calls for the OpenAPI document. They have an envelope of their own, so they are described by hand. */
export const geographyPaths = {
  '/geo/countries': operation('All countries, named in the language asked for', { id, alpha2: text, name: text }, [
    { name: 'locale', in: 'query', required: false, schema: text },
  ]),
  '/geo/countries/states/{country}': operation('The states or provinces of a country', { id, name: text, code: text }, inPath('country')),
  '/geo/countries/cities/{state}': operation(
    'The cities of a state, with their postal codes',
    { id, name: text, zipCode: text, zipCodes: { type: 'array', items: text } },
    inPath('state'),
  ),
  '/geo/countries/postal-codes/{country}/{code}': operation(
    'The cities of a postal code, each with its state; none for an unknown code',
    { id, name: text, stateId: id, state: text },
    [...inPath('country'), ...inPath('code', text)],
  ),
}
