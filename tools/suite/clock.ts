import { beforeEach } from 'vitest'

// Test files share a process. A fake clock that one leaves behind would block another for ever, so the next test reports it.
beforeEach(() => {
  // A fake Date extends the real one; that of a run under another day (at.ts) does not.
  if ([setTimeout, setInterval].some(set => 'clock' in set) || Object.getPrototypeOf(Date) !== Function.prototype)
    throw new Error('An earlier test has left its fake clock installed.')
})
