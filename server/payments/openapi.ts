import { byHand } from '#server/kit/openapi/openapi.ts'

/** The path that the card network calls. */
export const webhookPaths = {
  '/api/payments/webhook': {
    post: byHand('An event of the card network, signed by it; each is heard once', 'the signature', {
      parameters: [{ name: 'Stripe-Signature', in: 'header', required: true, schema: { type: 'string' } }],
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      responses: { 200: { description: 'Heard' } },
    }),
  },
}
