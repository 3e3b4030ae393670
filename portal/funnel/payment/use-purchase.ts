import { useEffect, useState } from 'react'
import { slowMs } from '#portal/kit/connection.ts'
import { errorLines } from '#portal/kit/errors/error-lines.ts'
import { useWords } from '#portal/kit/words.tsx'
import { useFunnel } from '../store.ts'
import { type Attempt, openPurchasing, type Purchasing } from './purchasing.ts'

/**
 * Runs the purchase sequence (purchasing.ts) for a page. The request is stored before it is sent, so a second click, a reload or a
 * lost response resumes the same sale.
 */
export function usePurchase() {
  const { words } = useWords()
  const [{ isLoading, failure, card }, setAttempt] = useState<Attempt>({ isLoading: false, failure: undefined, card: undefined })
  const [purchasing] = useState<Purchasing>(() => openPurchasing(change => setAttempt(before => ({ ...before, ...change }))))
  const bought = useFunnel(({ bought }) => bought)
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => setIsSlow(true), slowMs)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isLoading])
  useEffect(() => {
    const { bought } = useFunnel.getState()
    if (bought && !bought.done) void purchasing.resume()
  }, [purchasing])
  return {
    ...purchasing,
    bought,
    card,
    isLoading,
    isSlow,
    failure: failure && (typeof failure === 'string' ? words(failure) : errorLines(failure, words)),
  }
}
