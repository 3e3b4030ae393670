import { useRef } from 'react'

/** The same question asked again, after a reply that was lost, goes under the same key: it is done once. */
export function useOneKey(): (question: object) => string {
  const keys = useRef(new Map<string, string>())
  return question => {
    const text = JSON.stringify(question)
    const key = keys.current.get(text) ?? crypto.randomUUID()
    keys.current.set(text, key)
    return key
  }
}
