import type { listAudit } from '#common/administration/calls.ts'
import type { ResponseOf } from '#common/kit/call.ts'
import { useFormat } from '#portal/kit/format.ts'
import { languageNames } from '#portal/kit/language.ts'
import type { PanelOf } from '#portal/kit/list/rows.ts'
import { SidePanel } from '#portal/kit/overlay/side-panel.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { problemIn, useWords } from '#portal/kit/words.tsx'
import { Disclosure } from '#portal/kit/page/disclosure.tsx'
import { useParams } from '../use-records.ts'
import { Code, Facts, Part, Raw, useDeviceName } from '../record.tsx'
import { currencyIn, detailName, detailText, reasonProblem } from './detail-words.ts'
import { actionWords, Outcome } from './actions.tsx'

export type Entry = ResponseOf<typeof listAudit>['entries'][number]

/** An audit entry in words. Its codes, which logs and exports use, are in a closed section below. */
export function EntryPanel({ entry, panel }: { entry: Entry; panel: PanelOf }) {
  const { words, locale } = useWords()
  const { moment } = useFormat()
  const { switchTo } = useParams()
  const deviceName = useDeviceName()
  const { action, object, reason, details } = entry
  const problem = reasonProblem(entry)
  const saying = { words, locale, moment, languages: languageNames, currency: currencyIn(details) }
  return (
    <SidePanel
      {...panel}
      title={actionWords(action, words)}
      actions={
        object && (
          <Button
            look="quiet"
            icon="search"
            onClick={() => {
              panel.onClose()
              switchTo({ tab: 'audit', object })
            }}
          >
            {words('administration.same_object')}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          [words('administration.moment'), moment(entry.at)],
          [words('administration.audit_outcome'), <Outcome key="outcome" outcome={entry.outcome} />],
          [words('administration.reason'), problem ? problemIn(words, problem) : reason],
          [words('administration.user'), entry.user && `${entry.user.name} · ${entry.user.email}`],
          [words('administration.unit'), entry.businessUnit?.brandName],
          [words('administration.audit_network'), entry.network],
          [words('administration.audit_device'), entry.userAgent && deviceName(entry.userAgent)],
        ]}
      />
      {details && Object.keys(details).length > 0 && (
        <Part title={words('administration.audit_details')}>
          <Facts facts={Object.entries(details).map(([key, value]) => [detailName(key, words), detailText(key, value, saying)] as const)} />
        </Part>
      )}
      <Disclosure
        className="border-t border-hair pt-3"
        summary={<span className="font-semibold">{words('administration.audit_codes')}</span>}
      >
        <div className="grid gap-3 pt-2">
          <Facts
            facts={[
              [words('administration.audit_action'), <Code key="action">{action}</Code>],
              [words('administration.audit_object'), object && <Code>{object}</Code>],
              [words('administration.audit_request'), <Code key="request">{entry.requestId}</Code>],
              [words('administration.reason'), problem && <Code>{reason}</Code>],
              [words('administration.audit_device'), entry.userAgent && <Code>{entry.userAgent}</Code>],
            ]}
          />
          {details && <Raw label={words('administration.audit_details')} value={details} />}
        </div>
      </Disclosure>
    </SidePanel>
  )
}
