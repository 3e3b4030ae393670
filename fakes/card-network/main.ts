import { startCardNetwork } from './start.ts'

// Runs the fake card network as a process. Reads CARD_NETWORK_PORT, CARD_NETWORK_FILE, STRIPE_SECRET_KEY and
// STRIPE_PUBLISHABLE_KEY. Sends events to CARD_NETWORK_WEBHOOK_URL, signed with STRIPE_WEBHOOK_SECRET.
// Prints its address once it listens: `ready http://127.0.0.1:41234`.

const { env } = process
const [url, secret] = [env['CARD_NETWORK_WEBHOOK_URL'], env['STRIPE_WEBHOOK_SECRET']]
const network = await startCardNetwork({
  port: Number(env['CARD_NETWORK_PORT'] ?? 0),
  ...(env['CARD_NETWORK_FILE'] ? { file: env['CARD_NETWORK_FILE'] } : {}),
  ...(env['STRIPE_SECRET_KEY'] ? { secretKey: env['STRIPE_SECRET_KEY'] } : {}),
  ...(env['STRIPE_PUBLISHABLE_KEY'] ? { publishableKey: env['STRIPE_PUBLISHABLE_KEY'] } : {}),
  ...(url && secret ? { webhook: { url, secret } } : {}),
})
const leave = (): void => {
  void network.stop().then(() => process.exit(0))
}
// A signal to the process group reaches this process while the server still finishes sales. It then waits for the IPC channel to close.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.connected || leave())
// The parent is gone when the IPC channel closes or the parent id changes.
process.once('disconnect', leave)
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) leave()
}, 500).unref()
// Printed last, because a signal may follow as soon as it is read.
process.stdout.write(`ready ${network.url}\n`)
