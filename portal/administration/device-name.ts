import { deviceOf } from '#common/session/device.ts'
import { useWords } from '#portal/kit/words.tsx'

/** Returns a function that names a device by its user agent: browser and system. */
export function useDeviceName(): (userAgent: string) => string {
  const { words } = useWords()
  return userAgent => {
    const { browser, system } = deviceOf(userAgent)
    return [browser, system].filter(Boolean).join(' · ') || words('administration.unknown_device')
  }
}
