/** True for images that browsers can show. */
export const canShow = (mediaType: string): boolean => /^image\/(?:png|jpeg)$/.test(mediaType)

export const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
