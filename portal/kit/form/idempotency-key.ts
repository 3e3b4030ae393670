import { useRef } from 'react'
import { Refused } from '#portal/kit/ask.ts'

/** Gives equal requests the same idempotency key, so that a retry takes effect once. After a final refusal the key changes. */
export function useIdempotencyKey() {
  const keys = useRef(new Map<string, string>())
  return async <Result>(request: object, send: (idempotencyKey: string) => Promise<Result>): Promise<Result> => {
    const text = JSON.stringify(request)
    const key = keys.current.get(text) ?? crypto.randomUUID()
    keys.current.set(text, key)
    try {
      return await send(key)
    } catch (error) {
      if (error instanceof Refused && !error.mayChange) keys.current.delete(text)
      throw error
    }
  }
}
