// Loaded before server/main.ts (service.ts): reports over the channel how much processor time the process has used since it began.
process.on('message', ({ n, act }: { n: number; act: string }) => {
  if (act !== 'busyMs') return
  const { user, system } = process.cpuUsage()
  process.send?.({ n, value: (user + system) / 1000 })
})
