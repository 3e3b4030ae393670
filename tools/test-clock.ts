import { beforeEach } from 'vitest'

// Test files share a process. One that leaves a faked clock behind would make another wait for ever, far from the cause: whoever comes next says so.
beforeEach(() => {
  if ([setTimeout, setInterval].some(set => 'clock' in set) || !String(Date).includes('[native code]'))
    throw new Error('A test before this one has left its faked clock behind.')
})
