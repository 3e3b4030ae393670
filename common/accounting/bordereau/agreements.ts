/**
 * The terms under which the insurer's books list a product: the agreement with the agencies, the class of Directive 2009/138/EC, and the risk code.
 */
type Agreement = { agreement: string; class: string; risk: string }

const agreements: Record<string, Agreement> = {
  ESS: { agreement: 'MER-TRV-01', class: '18', risk: 'TA' },
  TOT: { agreement: 'MER-TRV-01', class: '18', risk: 'TA' },
  SNO: { agreement: 'MER-TRV-01', class: '18', risk: 'TS' },
  STU: { agreement: 'MER-TRV-02', class: '18', risk: 'TL' },
  HOM: { agreement: 'MER-TRV-02', class: '18', risk: 'TA' },
  ANN: { agreement: 'MER-TRV-03', class: '18', risk: 'TM' },
  GRP: { agreement: 'MER-TRV-04', class: '18', risk: 'TG' },
  CAN: { agreement: 'MER-CAN-01', class: '16', risk: 'TC' },
}

const usual: Agreement = { agreement: 'MER-TRV-01', class: '18', risk: 'TA' }

/** Returns a product's agreement, or the usual one if it has none of its own. */
export const agreementOf = (productCode: string): Agreement => agreements[productCode] ?? usual
