import { useRef } from 'react'
import { Refused } from '#portal/kit/ask.ts'

/** The same question asked again, after a reply that was lost, goes under the same key: it is done once. What was refused is asked anew. */
export function useOneKey() {
  const keys = useRef(new Map<string, string>())
  return async <Result>(question: object, asking: (idempotencyKey: string) => Promise<Result>): Promise<Result> => {
    const text = JSON.stringify(question)
    const key = keys.current.get(text) ?? crypto.randomUUID()
    keys.current.set(text, key)
    try {
      return await asking(key)
    } catch (error) {
      if (error instanceof Refused && !error.mayChange) keys.current.delete(text)
      throw error
    }
  }
}
