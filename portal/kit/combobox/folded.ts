/** Removes accents, case, apostrophes and dots, so that Ávila, avila and AVILA are equal. */
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
