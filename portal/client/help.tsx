import type { ClientPolicy } from '#common/client/calls.ts'
import { useWords } from '#portal/kit/words.tsx'
import { Sheet } from './parts.tsx'

/** Says how to report a claim, to complain, and to see one's own data. */
export function Help({ policy: { brand, can, insurer, insurerEmail: email, supervisor } }: { policy: ClientPolicy }) {
  const { words } = useWords()
  const texts = {
    claims: words('help.claims_how', { phone: can.emergency, email, agency: brand.name }),
    complaints: [words('help.complaints_how', { email }), supervisor && words('help.complaints_then', { supervisor })]
      .filter(Boolean)
      .join(' '),
    privacy: words('help.privacy_how', { insurer, agency: brand.legalName, email }),
  }
  return (
    <Sheet className="grid gap-3 text-[0.9375rem]/5.5">
      {(['claims', 'complaints', 'privacy'] as const).map(topic => (
        <section key={topic} className="grid gap-1">
          <h2 className="font-semibold">{words(topics[topic])}</h2>
          <p className="text-quiet wrap-anywhere">{texts[topic]}</p>
        </section>
      ))}
    </Sheet>
  )
}

const topics = { claims: 'help.claims', complaints: 'help.complaints', privacy: 'help.privacy' } as const
