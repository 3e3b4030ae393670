import { fastify } from 'fastify'

// The upper limit of the machine: a minimal server that reads JSON and sends JSON of the size of the real response.

const size = Number(process.env['ECHO_BYTES'] ?? 1000)
const answer = JSON.stringify({ code: 200, data: 'x'.repeat(size) })
const http = fastify()
http.post('/', async (_request, reply) => reply.type('application/json; charset=utf-8').send(answer))
await http.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`ready ${http.listeningOrigin}\n`)
process.once('SIGTERM', () => void http.close().then(() => process.exit(0)))
process.once('disconnect', () => process.exit(0))
