import { byHand } from '#server/kit/openapi/openapi.ts'

/** What the OpenAPI document says of the call whose answer is no JSON. */
export const filePaths = {
  '/api/files/{uuid}': {
    get: byHand('A file, for those who may see what it belongs to', 'unit', {
      operationId: 'getApiFilesUuid',
      security: [
        { bearer: [], unit: [] },
        { cookie: [], unit: [] },
      ],
      parameters: [
        { name: 'uuid', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
        // As the link of a budget's paper says, which is made when it is opened.
        { name: 'policy', in: 'query', required: false, schema: { type: 'string', format: 'uuid' } },
      ],
      responses: {
        200: { description: 'The file', content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
      },
    }),
  },
}
