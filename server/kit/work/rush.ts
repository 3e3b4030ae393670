/** So many publications within a second are a rush: no node makes the documents of more sales in it. */
const most = 30
const withinMs = 1_000
/** Jobs wait for a rush for so long. Then they are done beside it, since a rush may last. */
const waitsAtMostMs = 20_000

/** Notices when jobs are published faster than they can be done, which leaves too little of the machine to what publishes them. */
export type Rush = {
  note(published: number): void
  /** True while its jobs should wait. */
  isOn(): boolean
}

export function openRush(now: () => number = () => performance.now()): Rush {
  let latest: number[] = []
  let beganAt: number | undefined

  function isFast(): boolean {
    const [earliest] = latest
    const isSo = latest.length === most && earliest !== undefined && now() - earliest < withinMs
    if (!isSo) beganAt = undefined
    else beganAt ??= now()
    return isSo
  }

  return {
    note(published) {
      // The rush before may have ended meanwhile.
      isFast()
      latest = [...latest, ...Array.from({ length: Math.min(published, most) }, now)].slice(-most)
      isFast()
    },
    isOn: () => isFast() && now() - (beganAt ?? now()) < waitsAtMostMs,
  }
}
