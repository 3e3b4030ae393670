/** What the OpenAPI document says of the call whose answer is no JSON. */
export const filePaths = {
  '/api/files/{uuid}': {
    get: {
      summary: 'A file, for those who may see what it belongs to',
      operationId: 'getApiFilesUuid',
      'x-needs': 'unit',
      security: [{ bearer: [], unit: [] }],
      parameters: [{ name: 'uuid', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      responses: {
        200: { description: 'The file', content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
        default: { description: 'A refusal', content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } },
      },
    },
  },
}
