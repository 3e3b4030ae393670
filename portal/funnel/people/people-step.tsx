import { useLocation } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { type UseFormReturn, useFormState } from 'react-hook-form'
import type { Problem } from '#common/kit/problems.ts'
import { type Step2, step2Problems, step2RowProblems } from '#common/policies/step2.ts'
import { focusFirstProblem } from '#portal/kit/form/focus.ts'
import { isMissing, problemList } from '#portal/kit/form/problems.ts'
import { RulesForm } from '#portal/kit/form/rules-form.tsx'
import { useRulesForm } from '#portal/kit/form/use-rules-form.ts'
import { shortcut, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { peopleSettings, residenceOf, withResidence } from '../guard.ts'
import { AlreadyInsured } from '../known/already-insured.tsx'
import {
  birthDatesOf,
  documentProblems,
  type PeopleForm,
  peopleForm,
  problemsHash,
  rowOf,
  step2Of,
  withTravellers,
} from '../people-form.ts'
import { PriceBar, PriceChange, useAgreedTravellers } from '../price/price-bar.tsx'
import { type Tariff, useRating } from '../use-rating.ts'
import { SheetKeys } from '../sheet/sheet.tsx'
import { Travellers } from '../sheet/travellers.tsx'
import { type StepFrame, StepPage } from '../step-page.tsx'
import { type TripForm, useFunnel } from '../store.ts'
import { TripSummary, zoneOf } from '../trip/trip-summary.tsx'
import { codeQuestions } from './address-fields.tsx'
import './people.css'
import { HolderCard } from './holder-card.tsx'

type Props = { frame: StepFrame; product: Product; tariff: Tariff | undefined; trip: TripForm; onNext: () => void }

/** Step 2: the policyholder and the travellers. */
export function PeopleStep({ frame, product, tariff, trip, onNext }: Props) {
  const { words } = useWords()
  const rate = useRating(product, tariff)
  const takenUp = useFunnel(({ takenUp }) => takenUp)
  useAgreedTravellers()
  // The initial values stay, so that typing renders only its own field. Only the travellers and their birth dates are shown elsewhere.
  const [initial] = useState(() => ({ trip, form: peopleForm(useFunnel.getState().people, trip) }))
  const form = useRulesForm<PeopleForm>({
    defaultValues: initial.form,
    rules: problemsOf,
    send: async values => {
      useFunnel.setState({ people: step2Of(values) })
      onNext()
    },
    onInvalid: () => void focusFirstProblem(),
  })
  // Stores every change, so that it survives a reload. Step 1 shares the number and birth dates of the travellers.
  const { watch, trigger } = form
  useEffect(() => {
    const { unsubscribe } = watch(values => {
      // Safe: every field of the form has a default value.
      const people = step2Of(values as PeopleForm)
      useFunnel.setState(({ trip }) => ({ people, trip: trip && withTravellers(trip, birthDatesOf(people)) }))
    })
    return unsubscribe
  }, [watch])
  const showsProblems = useLocation({ select: ({ hash }) => hash === problemsHash })
  useEffect(() => {
    if (showsProblems) void trigger()
  }, [showsProblems, trigger])
  const [type, chosenCountry] = form.watch(['policyHolderType', 'residenceCountryId'])
  const residence = residenceOf({ residenceCountryId: chosenCountry })
  // Until something is typed here, the travellers are those of step 1. The price follows the typed text.
  const typedTrip = useDeferredValue(trip)
  const ratedTrip = typedTrip === initial.trip ? { ...typedTrip, birthDates: birthDatesOf(step2Of(initial.form)) } : typedTrip
  const rating = rate(ratedTrip)

  return (
    <StepPage step={2} frame={frame}>
      <RulesForm form={form} className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
        <TripSummary product={product} trip={ratedTrip} many={zoneOf(tariff?.basis, ratedTrip)} />
        <HolderCard form={form} type={type} residence={residence} />
        <Travellers
          form={form}
          type={type}
          residence={residence}
          birthDates={ratedTrip.birthDates}
          minTravellers={product.settings.minPax}
          maxTravellers={product.settings.maxPax}
          currency={tariff?.basis.currency ?? 'EUR'}
          rate={dates =>
            rate(
              dates
                ? withTravellers(
                    ratedTrip,
                    dates.map(date => ({ date })),
                  )
                : ratedTrip,
            )
          }
        />
        <AlreadyInsured productUuid={product.uuid} trip={typedTrip} />
        <PriceBar
          product={product}
          tariff={tariff}
          trip={ratedTrip}
          rating={rating}
          notice={
            // A resumed quote has its own notice.
            <div role="status" className="empty:hidden">
              {takenUp?.mode !== 'resume' && <PriceChange total={rating.price?.total} currency={tariff?.basis.currency ?? 'EUR'} />}
            </div>
          }
          mend={<Mend control={form.control} trip={trip} focuses={showsProblems} />}
          savable
        >
          <Button {...shortcut('next')} className="goes-on" type="submit" busy={form.busy}>
            {words('funnel.next_payment')}
            <Keys keys={shortcuts.next} className="max-lg:hidden" />
          </Button>
        </PriceBar>
        <SheetKeys />
      </RulesForm>
    </StepPage>
  )
}

/** A row's field is validated with its row only: validating the whole form would take as long as all two hundred rows. */
function problemsOf(values: PeopleForm, names: readonly string[]) {
  const row = rowOf(names)
  const people = withResidence(step2Of(values))
  if (row !== undefined) return step2RowProblems(people, row, peopleSettings())
  return [
    ...phoneProblems(step2Problems(people, values.extraTravellers.length + 1, peopleSettings())),
    ...codeQuestions(values, residenceOf(values)),
    ...documentProblems(values),
  ]
}

/** Moves a number's problem with its calling code to the field of the code, once. */
export function phoneProblems(problems: readonly Problem[]): Problem[] {
  const wrong = problems.find(({ path, key }) => path === 'phoneNumber' && key === 'validation.invalidPhonePrefix')
  if (!wrong) return [...problems]
  return [...problems.filter(problem => problem !== wrong && problem.path !== 'phonePrefix'), { ...wrong, path: 'phonePrefix' }]
}

type MendProps = Pick<UseFormReturn<PeopleForm>, 'control'> & { trip: TripForm; focuses: boolean }

/**
 * Counts quietly what is empty; once the user wanted to go on, and for what is wrong, as a link to the first problem. `focuses`: gives that the focus,
 * once.
 */
function Mend({ control, trip, focuses }: MendProps) {
  const { words } = useWords()
  const { errors } = useFormState({ control })
  const problems = problemList(errors)
  const count = problems.length
  // The count of two hundred travellers waits for the next key's letter to be shown.
  const people = useDeferredValue(useFunnel(({ people }) => people))
  const empty = useMemo(() => countMissing(step2Of(peopleForm(people, trip))), [people, trip])
  const hasFocused = useRef(false)
  useEffect(() => {
    if (!focuses || count === 0 || hasFocused.current) return
    hasFocused.current = true
    focusFirstProblem()
  }, [focuses, count])
  const id = problems.every(({ problem }) => isMissing(problem.type)) ? 'funnel.missing' : 'funnel.mend'
  return (
    <div role="status" className="empty:hidden">
      {count === 0 && empty > 0 && (
        <span className="text-sm whitespace-nowrap text-quiet">{words('funnel.missing', { count: empty })}</span>
      )}
      {count > 0 && (
        <button
          type="button"
          onClick={() => focusFirstProblem()}
          className="flex min-h-(--control) items-center gap-1.5 text-sm font-semibold whitespace-nowrap text-danger underline decoration-current/30 underline-offset-4 hover:decoration-current"
        >
          <Icon name="alert-circle" className="size-3.5" /> {words(id, { count })}
        </button>
      )}
    </div>
  )
}

const countMissing = (people: Step2): number =>
  step2Problems(withResidence(people), (people.extraTravellers?.length ?? 0) + 1, peopleSettings()).filter(({ rule }) => isMissing(rule))
    .length
