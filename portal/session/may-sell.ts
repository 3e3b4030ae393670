import { useMay } from './session.ts'

/** True if the user may begin a sale. Others are not offered one. */
export const useMaySell = (): boolean => {
  const [access, sells] = [useMay('b2b-access'), useMay('b2b-products-sell')]
  return access && sells
}
