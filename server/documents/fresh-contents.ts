/** Contents that were stored or read just now, so that an email need not read them again. The oldest make room for new ones. */
export type FreshContents = {
  get(name: string): Buffer | undefined
  keep(name: string, content: Buffer): void
  drop(name: string): void
}

/** As many as the documents of a hundred sales. */
const mostBytes = 16 * 1024 * 1024

export function openFreshContents(most = mostBytes): FreshContents {
  const kept = new Map<string, Buffer>()
  let bytes = 0
  const contents: FreshContents = {
    get: name => kept.get(name),
    keep(name, content) {
      contents.drop(name)
      if (content.length > most) return
      kept.set(name, content)
      bytes += content.length
      for (const [oldest] of kept) {
        if (bytes <= most) return
        contents.drop(oldest)
      }
    },
    drop(name) {
      bytes -= kept.get(name)?.length ?? 0
      kept.delete(name)
    },
  }
  return contents
}
