import type { ResponseOf } from '#common/kit/call.ts'
import { allNamesOfRow, type PersonColumns, personFields, personFieldsWhere } from '#common/people/person.ts'
import type { openBlocked } from '#common/privacy/calls.ts'
import { Facts, Part } from '#portal/administration/record.tsx'
import { useCountryName } from '#portal/business-unit/settings.ts'
import { saveFile } from '#portal/kit/file/save-file.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Table } from '#portal/kit/list/table.tsx'
import type { Column } from '#portal/kit/list/table-parts.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Text = string | null
type PersonRow = Partial<PersonColumns> & { version: number; position: number; premium_cents: number | null }
type Content = {
  policy?: { reference: Text }
  people?: PersonRow[]
  deeds?: { id: string; at: string; kind: string; note: Text; user_name: string }[]
  withdrawals?: { id: string; at: string; name: string; confirm_to: string }[]
  mails?: { at: string; template: string; to: string }[]
  ticket?: { reference: string; subject: string; description: string; created_at: string; contact_name: string } & Record<
    'contact_email' | 'contact_phone',
    string
  >
  messages?: { id: string; at: string; from_support: boolean; body: string }[]
  files?: { id: string; name: string }[]
}
type Opened = ResponseOf<typeof openBlocked>

/** Shows blocked data in words and values, with a file of all of it. */
export function BlockedContent({ opened, name }: { opened: Opened; name: string }) {
  const { words } = useWords()
  const content = opened.content as Content // Safe: the service blocked it in this format; missing parts are left out.
  const save = () =>
    saveFile({ name: `${name}.json`, content: new Blob([JSON.stringify(opened.content, null, 2)], { type: 'application/json' }) })
  return (
    <>
      <PolicyFacts opened={opened} reference={content.policy?.reference ?? null} />
      {content.people && <People rows={content.people} currency={opened.policy?.currency ?? ''} />}
      {content.ticket && <TicketFacts ticket={content.ticket} files={content.files ?? []} />}
      <Happened content={content} />
      <div>
        <Button look="quiet" icon="download" onClick={save}>
          {words('privacy.blocked_file')}
        </Button>
      </div>
    </>
  )
}

function PolicyFacts({ opened: { policy }, reference }: { opened: Opened; reference: Text }) {
  const { words } = useWords()
  const { date, money } = useFormat()
  if (!policy) return null
  return (
    <Facts
      facts={[
        [words('privacy.copy_product'), policy.product],
        [words('privacy.blocked_trip'), `${date(policy.startDate)} – ${date(policy.endDate)}`],
        [words('privacy.blocked_price'), money(policy.total, policy.currency)],
        [words('privacy.blocked_reference'), reference],
      ]}
    />
  )
}

/** The people of all versions, each unchanged person once. */
function People({ rows, currency }: { rows: PersonRow[]; currency: string }) {
  const { words } = useWords()
  const { date, cents } = useFormat()
  const countryName = useCountryName()
  const { newest, distinct } = peopleOf(rows)
  const nameCell = ({ version, ...row }: PersonRow) => (
    <>
      {allNamesOfRow(row)}
      {version < newest && <span className="block text-sm text-quiet">{words('privacy.blocked_version', { version })}</span>}
    </>
  )
  const columns: Column<PersonRow>[] = [
    {
      key: 'name',
      head: words('privacy.name'),
      cell: row => nameCell(row),
    },
    { key: 'birth', head: words('privacy.birth_date'), cell: row => (row.birth_date ? date(row.birth_date) : '—') },
    { key: 'document', head: words('privacy.document'), cell: row => row.document_number ?? '—' },
    {
      key: 'contact',
      head: words('privacy.blocked_contact'),
      cell: row => contactOf(row, countryName).map(line => <div key={line}>{line}</div>),
    },
    {
      key: 'premium',
      head: words('privacy.blocked_premium'),
      align: 'end',
      cell: row => (row.premium_cents === null ? '—' : cents(row.premium_cents, currency)),
    },
  ]
  return (
    <Part title={words('privacy.blocked_insured')}>
      <Table
        caption={words('privacy.blocked_insured')}
        columns={columns}
        rows={distinct}
        keyOf={({ version, position }) => `${version} ${position}`}
      />
    </Part>
  )
}

/** Returns the lines of a person's contact data and address. */
const contactOf = (row: PersonRow, countryName: (id: number) => string): string[] =>
  [
    row.email,
    row.phone_number && [row.phone_prefix, row.phone_number].filter(Boolean).join(' '),
    row.address,
    [row.zip_code, row.city, row.state].filter(Boolean).join(' '),
    ...personFieldsWhere('part', 'more').map(field => {
      const value = row[personFields[field].column]
      return typeof value === 'number' ? countryName(value) : value
    }),
  ].flatMap(line => line || [])

function peopleOf(rows: PersonRow[]): { newest: number; distinct: PersonRow[] } {
  const newestFirst = rows.toSorted((one, other) => other.version - one.version || one.position - other.position)
  const seen = new Map(
    newestFirst
      .toReversed()
      .map(row => [JSON.stringify([allNamesOfRow(row), row.birth_date, row.document_number, contactOf(row, String)]), row]),
  )
  const kept = new Set(seen.values())
  return { newest: newestFirst[0]?.version ?? 0, distinct: newestFirst.filter(row => kept.has(row)) }
}

function TicketFacts({ ticket, files }: { ticket: NonNullable<Content['ticket']>; files: NonNullable<Content['files']> }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const description = <span className="whitespace-pre-line">{ticket.description}</span>
  return (
    <Facts
      facts={[
        [words('privacy.received_on'), moment(ticket.created_at)],
        [words('privacy.copy_subject'), ticket.subject],
        [words('privacy.blocked_contact'), [ticket.contact_name, ticket.contact_email, ticket.contact_phone].filter(Boolean).join(' · ')],
        [words('privacy.blocked_description'), description],
        [words('privacy.blocked_files'), files.map(file => file.name).join(' · ')],
      ]}
    />
  )
}

/** Movements, statements, messages and emails, each with its time. */
function Happened({ content: { deeds, withdrawals, messages, mails } }: { content: Content }) {
  const { words } = useWords()
  const { moment } = useFormat()
  const lines = [
    ...(deeds ?? []).map(({ at, kind, note, user_name: by }) => ({ at, what: words('privacy.copy_step', { kind }), texts: [note, by] })),
    ...(withdrawals ?? []).map(({ at, name, confirm_to: to }) => ({ at, what: words('privacy.copy_withdrawal'), texts: [name, to] })),
    ...(messages ?? []).map(({ at, from_support: isOurs, body }) => ({
      at,
      what: words('privacy.blocked_message', { from: isOurs ? 'us' : 'client' }),
      texts: [body],
    })),
    ...(mails ?? []).map(({ at, template, to }) => ({ at, what: words('administration.mail_kind', { template }), texts: [to] })),
  ].toSorted((one, other) => (one.at < other.at ? -1 : 1))
  if (lines.length === 0) return null
  const rows = lines.map((line, index) => ({ ...line, index, said: line.texts.filter(Boolean).join(' · ') }))
  return (
    <Part title={words('privacy.blocked_happened')}>
      <Table
        caption={words('privacy.blocked_happened')}
        columns={[
          { key: 'at', head: words('privacy.blocked_when'), cell: ({ at }) => moment(new Date(at).toISOString()) },
          { key: 'what', head: words('privacy.column_what'), cell: ({ what }) => what },
          { key: 'said', head: words('privacy.blocked_said'), cell: ({ said }) => said },
        ]}
        rows={rows}
        keyOf={({ index }) => String(index)}
      />
    </Part>
  )
}
