/** For comparing as people do: Ávila, avila and AVILA are one. */
export const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’'.]/g, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/[œŒ]/g, 'oe')
    .replaceAll(/[æÆ]/g, 'ae')
    .toLowerCase()
    .trim()
