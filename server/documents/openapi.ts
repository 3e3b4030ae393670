import { byHand } from '#server/kit/openapi/openapi.ts'

/** The OpenAPI description of the one call whose response is not JSON. */
export const filePaths = {
  '/api/files/{uuid}': {
    get: byHand('Returns a file, if the caller may see the record it belongs to', 'unit', {
      operationId: 'getApiFilesUuid',
      security: [
        { bearer: [], unit: [] },
        { cookie: [], unit: [] },
      ],
      parameters: [
        { name: 'uuid', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
        // The saved quote from which the link's document is made when opened.
        { name: 'policy', in: 'query', required: false, schema: { type: 'string', format: 'uuid' } },
      ],
      responses: {
        200: { description: 'The file', content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
      },
    }),
  },
}
