/**
 * Returns the pages with a button: the first, the last, and those around the current one. Their number is constant, so that nothing moves under the
 * pointer.
 */
export function pagesAround(page: number, pages: number): (number | 'gap-before' | 'gap-after')[] {
  if (pages <= maxButtons) return Array.from({ length: pages }, (_, index) => index + 1)
  const first = Math.min(Math.max(page - 1, 1), pages - 2)
  if (page <= 4) return [1, 2, 3, 4, 5, 'gap-after', pages]
  if (page >= pages - 3) return [1, 'gap-before', pages - 4, pages - 3, pages - 2, pages - 1, pages]
  return [1, 'gap-before', first, first + 1, first + 2, 'gap-after', pages]
}

const maxButtons = 7
