import { startCardNetwork } from './start.ts'

// CARD_NETWORK_PORT, CARD_NETWORK_FILE, STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY; events go to CARD_NETWORK_WEBHOOK_URL,
// signed with STRIPE_WEBHOOK_SECRET. One line on the output says where it listens: `ready http://127.0.0.1:41234`.

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
// A signal to the whole group reaches this process too, while the service beside it still finishes sales: then the channel says when to end.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.connected || leave())
// Whoever started this is gone, however it went: the channel to it closes, or somebody else is the parent now.
process.once('disconnect', leave)
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) leave()
}, 500).unref()
// Only now: a signal may come as soon as this is read.
process.stdout.write(`ready ${network.url}\n`)
