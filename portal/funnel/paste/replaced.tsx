import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'

const mostNamed = 3

/** Names the people whom those of a text replace, or at least the first of them. */
export function Replaced({ names }: { names: readonly string[] }) {
  const { words } = useWords()
  const { list } = useFormat()
  return words('paste.instead', { names: list(names.slice(0, mostNamed)), more: Math.max(0, names.length - mostNamed) })
}
