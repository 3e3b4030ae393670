import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { SellLink } from './product-card.tsx'
import type { Product } from './store.ts'

/** Compares up to four products: a row for each cover. */
export function Compare({ products, onClose }: { products: readonly Product[]; onClose: () => void }) {
  const { words } = useWords()
  const names = [...new Set(products.flatMap(({ coverages }) => coverages.map(({ name }) => name)))]
  return (
    <Dialog open onClose={onClose} size="large" title={words('products.compare_title')}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- focusable, so that the keyboard can scroll it */}
      <div role="group" aria-label={words('products.compare_title')} tabIndex={0} className="overflow-auto">
        <table className="w-full border-separate border-spacing-0 text-left">
          <thead>
            <tr>
              <th scope="col" className="sticky left-0 min-w-32 bg-raised pr-4 text-quiet">
                {words('products.coverage')}
              </th>
              {products.map(({ uuid, name, type }) => (
                <th key={uuid} scope="col" className="min-w-40 border-l border-line px-4 pb-3 align-bottom">
                  <span className="grid gap-0.5">
                    {name}
                    <span className="text-sm font-normal text-quiet">{type}</span>
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map(name => (
              <tr key={name}>
                <th scope="row" className="sticky left-0 max-w-48 border-t border-line bg-raised py-2 pr-4 font-normal text-quiet">
                  {name}
                </th>
                {products.map(({ uuid, coverages }) => (
                  <td key={uuid} className="border-t border-l border-line px-4 py-2">
                    {coverages.find(coverage => coverage.name === name)?.value ?? (
                      <span className="text-faint">{words('products.not_covered')}</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" className="sticky left-0 border-t border-line bg-raised">
                <span className="sr-only">{words('products.sell')}</span>
              </th>
              {products.map(({ uuid, name }) => (
                <td key={uuid} className="border-t border-l border-line px-4 py-3">
                  <SellLink uuid={uuid} name={name} />
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    </Dialog>
  )
}
