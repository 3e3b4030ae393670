import { useWords } from '#portal/kit/words.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'

/** The buttons for the previous and the next page, if there is one. Wide screens also have buttons for single pages, phones show the page number. */
export function Pagination({
  page,
  pages,
  isCounted = true,
  onPage,
  label,
}: {
  page: number
  pages: number
  /** False if there may be more pages than these. */
  isCounted?: boolean
  onPage: (page: number) => void
  label?: string
}) {
  const { words } = useWords()
  if (pages <= 1) return null
  return (
    <nav aria-label={label ?? words('panel.pages.label')} className="@container w-full">
      <ul className="flex items-center justify-end gap-1">
        <li>
          <IconButton
            icon="chevron-left"
            label={words('panel.pages.previous')}
            className={page <= 1 ? 'invisible' : ''}
            onClick={() => onPage(page - 1)}
          />
        </li>
        <li className="px-2 text-sm text-quiet @md:hidden">
          {isCounted ? words('panel.pages.of', { page, pages }) : words('panel.pages.page', { page })}
        </li>
        {(isCounted ? pagesAround(page, pages) : [page]).map(each =>
          typeof each === 'number' ? (
            <li key={each} className="hidden @md:block">
              <button
                type="button"
                aria-label={words('panel.pages.page', { page: each })}
                aria-current={each === page ? 'page' : undefined}
                onClick={() => onPage(each)}
                className="min-h-(--control) min-w-(--control) rounded-md px-2 text-sm text-quiet hover:bg-sunken hover:text-ink aria-[current]:bg-sunken aria-[current]:font-semibold aria-[current]:text-ink"
              >
                {each}
              </button>
            </li>
          ) : (
            <li key={each} aria-hidden="true" className="hidden w-6 text-center text-quiet @md:block">
              …
            </li>
          ),
        )}
        <li>
          <IconButton
            icon="chevron-right"
            label={words('panel.pages.next')}
            className={page >= pages ? 'invisible' : ''}
            onClick={() => onPage(page + 1)}
          />
        </li>
      </ul>
    </nav>
  )
}

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
