import type { ReactNode } from 'react'
import { Drawer } from '#portal/kit/overlay/dialog.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { FileLink } from '#portal/kit/file/file-link.tsx'
import type { Product } from './store.ts'

type Props = {
  product: Product
  /** Missing over prices, where the chosen row has the button to sell. */
  actions?: ReactNode
  onClose: () => void
}

/** Everything about one product, for an agent to read out to a client. */
export function ProductDetails({ product, actions, onClose }: Props) {
  const { words } = useWords()
  const { name, type, description, coverages, characteristics, importantInfo, files } = product
  return (
    <Drawer open onClose={onClose} title={name} description={type} actions={actions}>
      <p>{description}</p>
      <Part title={words('products.coverages')}>
        <table className="w-full text-left">
          <thead className="sr-only">
            <tr>
              <th scope="col">{words('products.coverage')}</th>
              <th scope="col">{words('products.limit')}</th>
            </tr>
          </thead>
          <tbody>
            {coverages.map(({ itemUUID, name, value }) => (
              <tr key={itemUUID} className="border-b border-line last:border-0">
                <th scope="row" className="py-2 pr-4 font-normal text-quiet">
                  {name}
                </th>
                <td className="py-2 text-right font-medium">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      <TextList title={words('products.characteristics')} texts={characteristics} />
      <TextList title={words('products.important')} texts={importantInfo} />
      {files.length > 0 && (
        <Part title={words('products.files')}>
          <ul className="grid gap-1">
            {files.map(file => (
              <li key={file.file}>
                <FileLink {...file} />
              </li>
            ))}
          </ul>
        </Part>
      )}
    </Drawer>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2 border-t border-line pt-4">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function TextList({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <Part title={title}>
      <ul className="grid list-disc gap-1 pl-5 text-quiet">
        {texts.map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Part>
  )
}
