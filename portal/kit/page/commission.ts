import { openStore } from '../stores.ts'

const useCommission = openStore('commission', { isHidden: false }, { perTab: true })

/** False while the client can see the screen, which then must not show the commission. Lasts for the tab's session. */
export const useShowsCommission = (): boolean => !useCommission(({ isHidden }) => isHidden)

/** Hides commission everywhere, or shows it again. Returns true if it is now hidden. */
export function toggleCommission(): boolean {
  useCommission.setState(({ isHidden }) => ({ isHidden: !isHidden }))
  return useCommission.getState().isHidden
}
