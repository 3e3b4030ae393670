import type { ReactNode } from 'react'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { displayValue, fields, type Profile, valueAt } from './fields.ts'

/** The agency's profile for users who may see it but not change it. */
export function ReadOnlyProfile({ profile }: { profile: Profile }) {
  const { words, locale } = useWords()
  const parts = [
    { part: 'address.', title: words('agency.part.address') },
    { part: 'contactInfo.', title: words('agency.part.contact') },
    { part: 'billingInfo.', title: words('agency.part.billing') },
  ]
  return parts.map(({ part, title }) => (
    <Card key={part} title={title}>
      <Facts>
        {fields
          .filter(({ path }) => path.startsWith(part))
          .map(({ path, label }) => (
            <Fact key={path} name={words(label)}>
              {displayValue(path, valueAt(profile, path), locale)}
            </Fact>
          ))}
      </Facts>
    </Card>
  ))
}

const Facts = ({ children }: { children: ReactNode }) => <dl className="grid gap-x-(--gap) gap-y-3 sm:grid-cols-2">{children}</dl>

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-sm text-quiet">{name}</dt>
    <dd className="break-words">{children}</dd>
  </div>
)
