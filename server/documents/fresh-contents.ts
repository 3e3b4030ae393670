/** Contents that were stored or read just now, so that an email need not read them again. The oldest make room for new ones. */
export type FreshContents = {
  get(name: string): Buffer | undefined
  keep(name: string, content: Buffer): void
  drop(name: string): void
}

/** As many as the documents of a hundred sales. */
const mostBytes = 16 * 1024 * 1024

/** An email leaves soon after its documents are made. Only the node that deletes an erased person's content drops it, so the others forget it. */
export const freshForMs = 60_000

export function openFreshContents(most = mostBytes): FreshContents {
  const kept = new Map<string, { content: Buffer; end: NodeJS.Timeout }>()
  let bytes = 0
  const contents: FreshContents = {
    get: name => kept.get(name)?.content,
    keep(name, content) {
      contents.drop(name)
      if (content.length > most) return
      kept.set(name, { content, end: setTimeout(() => contents.drop(name), freshForMs).unref() })
      bytes += content.length
      for (const [oldest] of kept) {
        if (bytes <= most) return
        contents.drop(oldest)
      }
    },
    drop(name) {
      const dropped = kept.get(name)
      if (!dropped) return
      clearTimeout(dropped.end)
      bytes -= dropped.content.length
      kept.delete(name)
    },
  }
  return contents
}
