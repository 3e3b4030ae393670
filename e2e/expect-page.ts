import { expect } from '@playwright/test'
import { patience } from '#tools/suite/patience.ts'

/**
 * Waits until the page shows what is expected: `await expectPage(locator).toHaveText('…')`. Values that the page no longer changes are compared with
 * vitest's own `expect`.
 */
export const expectPage = expect.configure({ timeout: patience })
