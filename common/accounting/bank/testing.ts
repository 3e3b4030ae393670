// Samples of banks' files, written after the specifications: ISO 20022 camt.053, and cuaderno 43 of the AEB.

export type CamtEntry = {
  amount?: string
  currency?: string
  way?: string
  status?: string
  day?: string
  reversal?: string
  servicer?: string
  details?: string
}

export const camtEntry = ({
  amount = '120.50',
  currency = 'EUR',
  way = 'CRDT',
  status = '<Sts>BOOK</Sts>',
  day = '<Dt>2026-12-14</Dt>',
  reversal,
  servicer = 'S-1',
  details = '',
}: CamtEntry = {}): string => `
      <Ntry>
        <Amt Ccy="${currency}">${amount}</Amt>
        <CdtDbtInd>${way}</CdtDbtInd>
        ${reversal === undefined ? '' : `<RvslInd>${reversal}</RvslInd>`}
        ${status}
        <BookgDt>${day}</BookgDt>
        <AcctSvcrRef>${servicer}</AcctSvcrRef>
        <BkTxCd><Domn><Cd>PMNT</Cd></Domn></BkTxCd>
        <NtryDtls>${details}</NtryDtls>
      </Ntry>`

/** The details of a payment: version 2 of the message has the name directly under the party, version 8 in `Pty`. */
export const camtDetails = (facts: { text?: string; name?: string; party?: boolean; amount?: string; end?: string }): string => {
  const name = `<Nm>${facts.name ?? 'Viajes Azahar'}</Nm>`
  return `<TxDtls>
    <Refs><EndToEndId>${facts.end ?? 'NOTPROVIDED'}</EndToEndId></Refs>
    ${facts.amount === undefined ? '' : `<Amt Ccy="EUR">${facts.amount}</Amt>`}
    <RltdPties><Dbtr>${facts.party ? `<Pty>${name}</Pty>` : name}</Dbtr></RltdPties>
    <RmtInf><Ustrd>${facts.text ?? 'azahar-2026-11'}</Ustrd></RmtInf>
  </TxDtls>`
}

const balance = (code: string, amount: string, way = 'CRDT') => `
      <Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${way}</CdtDbtInd></Bal>`

export const iban = 'ES9121000418450200051332'

export function camt(
  entries: readonly string[],
  more: {
    version?: string
    before?: string
    after?: string
    summary?: string
    head?: string
    page?: [number: number, isLast: boolean]
  } = {},
) {
  const { version = '02', before, after, summary = '', head = '', page } = more
  return `<?xml version="1.0" encoding="UTF-8"?>${head}
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">
  <BkToCstmrStmt>
    <GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-12-15T06:00:00</CreDtTm></GrpHdr>
    <Stmt>
      <Id>1</Id>
      ${page ? `<StmtPgntn><PgNb>${page[0]}</PgNb><LastPgInd>${page[1]}</LastPgInd></StmtPgntn>` : ''}
      <Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
      ${before === undefined ? '' : balance('OPBD', before)}
      ${after === undefined ? '' : balance('CLBD', after)}
      ${summary}
      ${entries.join('')}
    </Stmt>
  </BkToCstmrStmt>
</Document>`
}

export type Movement = {
  cents: number
  day?: string
  concept?: string
  document?: string
  first?: string
  second?: string
  texts?: string[]
}

const digits = (value: number, width: number) => String(Math.abs(value)).padStart(width, '0')
const sign = (value: number) => (value < 0 ? '1' : '2')

/** Writes a Norma 43 file of one account, with right sums. A negative amount is a debit. */
export function norma43(movements: readonly Movement[], { before = 100_000, currency = '978' } = {}): string {
  const account = '210004180200051332'
  const sum = (negative: boolean) => movements.reduce((sum, { cents }) => sum + (cents < 0 === negative ? cents : 0), 0)
  const count = (negative: boolean) => movements.filter(({ cents }) => cents < 0 === negative).length
  const after = before + sum(true) + sum(false)
  const lines = [
    `11${account}261201261214${sign(before)}${digits(before, 14)}${currency}3${'ASEGURADORA SA'.padEnd(26)}`,
    ...movements.flatMap(({ cents, day = '261214', concept = '02', document = '0000000000', first = '', second = '', texts = [] }) => [
      `22    0418${day}${day}${concept}001${sign(cents)}${digits(cents, 14)}${document}${first.padEnd(12, '0')}${second.padEnd(16)}`,
      ...texts.map((text, index) => `23${digits(index + 1, 2)}${text.padEnd(76)}`),
    ]),
    `33${account}${digits(count(true), 5)}${digits(sum(true), 14)}${digits(count(false), 5)}${digits(sum(false), 14)}${sign(after)}${digits(after, 14)}${currency}`,
  ]
  return [...lines, `88${'9'.repeat(18)}${digits(lines.length, 6)}`].map(line => line.padEnd(80)).join('\r\n') + '\r\n'
}
