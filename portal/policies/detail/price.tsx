import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { PolicyDetail } from '../policy-query.ts'

type Line = PolicyDetail['price']['lines'][number]

/** Shows the parts of the price: a bar in proportion, and a line for each in the same shade. */
export function Price({ detail: { price } }: { detail: PolicyDetail }) {
  const { words } = useWords()
  const { money } = useFormat()
  const nameOf = ({ kind, code, label }: Line): string => {
    if (kind === 'tax') return label ?? code ?? ''
    return words(kind === 'cancellation' ? 'policies.line_cancellation' : 'policies.line_travel')
  }
  const parts = price.lines.filter(({ kind, amount }) => kind !== 'commission' && amount !== 0)
  const shadeOf = (index: number) => shades[Math.min(index, shades.length - 1)]
  return (
    <div className="grid gap-1.5">
      {parts.length > 1 && (
        <div aria-hidden="true" className="mt-2 flex h-1 gap-0.5 overflow-hidden rounded-full">
          {parts.map((line, index) => (
            <span key={`${line.kind} ${line.code}`} className={shadeOf(index)} style={{ flexGrow: Math.abs(line.amount) / price.total }} />
          ))}
        </div>
      )}
      <ul className="grid gap-0.5">
        {parts.map((line, index) => (
          <li key={`${line.kind} ${line.code}`} className="flex items-center gap-2">
            <span aria-hidden="true" className={`size-2 shrink-0 rounded-sm ${shadeOf(index)}`} />
            <span className="min-w-0 flex-1">{nameOf(line)}</span>
            <span>{money(line.amount, price.currency)}</span>
          </li>
        ))}
      </ul>
      {price.provisional && <p className="text-sm text-quiet">{words('policies.provisional')}</p>}
    </div>
  )
}

const shades = ['bg-ink', 'bg-faint']
