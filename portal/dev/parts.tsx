import { Disclosure } from '#portal/kit/page/disclosure.tsx'
import { MonthBars } from '#portal/kit/page/month-bars.tsx'
import { Properties, Property } from '#portal/kit/page/properties.tsx'
import { Caps, Keys } from '#portal/kit/shortcuts/keys.tsx'
import { Button } from '#portal/kit/ui/button.tsx'

const months = [120, 90, null, -30, 240, 180].map((amount, index) => ({
  name: `2026-0${index + 1}`,
  amount,
  hint: amount === null ? 'nothing' : String(amount),
}))

/** The parts of pages: keys, a disclosure, a column of properties, and a chart. */
export const PartSamples = () => (
  <div className="grid gap-(--gap) sm:grid-cols-2">
    <div className="grid content-start gap-(--gap)">
      <p className="flex flex-wrap items-center gap-3">
        {['Control+K', 'Enter', '1–9', 'x', 'Delete'].map(keys => (
          <Caps key={keys} keys={keys} />
        ))}
      </p>
      <p className="flex flex-wrap items-center gap-3">
        <Button>
          Sell <Keys keys="Control+Enter" />
        </Button>
        <Button look="quiet">
          Send <Keys keys="e" />
        </Button>
        <Button look="danger">
          End it <Keys keys="Control+Enter" />
        </Button>
      </p>
      <Disclosure summary="Behind its summary">Content that is closed</Disclosure>
      <Disclosure startsOpen summary="Open at first">
        Content that is open
      </Disclosure>
      <Properties>
        <Property name="Policyholder">Ana García López</Property>
        <Property name="Travellers">2</Property>
      </Properties>
    </div>
    <MonthBars label="Commission by month" months={months} />
  </div>
)
