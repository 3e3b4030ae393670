import { beforeEach } from 'vitest'

// Test files share a process. A fake clock that one leaves behind would make another wait for ever, so the next test reports it.
beforeEach(() => {
  if ([setTimeout, setInterval].some(set => 'clock' in set) || !String(Date).includes('[native code]'))
    throw new Error('An earlier test has left its fake clock installed.')
})
