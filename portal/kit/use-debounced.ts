import { useEffect, useState } from 'react'

const debounceMs = 400

/** Returns the value once it has not changed for a time. */
export function useDebounced<Value>(value: Value, ms = debounceMs): Value | undefined {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return settled === text ? value : undefined
}
