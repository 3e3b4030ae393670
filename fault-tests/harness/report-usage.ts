// Loaded before server/main.ts (service.ts): reports over the IPC channel how much CPU time the process has used.
process.on('message', ({ n, name }: { n: number; name: string }) => {
  if (name !== 'busyMs') return
  const { user, system } = process.cpuUsage()
  process.send?.({ n, value: (user + system) / 1000 })
})
