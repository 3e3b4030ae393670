import { type Flag, FlagRow } from './choices.tsx'

/** A switch that takes effect at once, without a form to send. */
export function Switch(flag: Flag) {
  return (
    <FlagRow {...flag} indent="pl-10.5">
      {control => (
        <span className="relative mt-px h-[1.125rem] w-8 shrink-0">
          <input
            {...control}
            ref={flag.ref}
            type="checkbox"
            // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- HTML has no aria-checked on a checkbox, which says it by itself
            role="switch"
            className="peer absolute inset-0 appearance-none rounded-full border border-field-line bg-[color-mix(in_srgb,var(--color-ink)_18%,var(--color-sheet))] transition-colors checked:border-ink checked:bg-ink off:border-line off:bg-sunken"
          />
          <span
            className={`pointer-events-none absolute top-[3px] left-[3px] size-3 rounded-full shadow-low transition-[opacity,translate] peer-checked:translate-x-3.5 ${flag.disabled ? 'bg-faint' : 'bg-sheet'}`}
          />
        </span>
      )}
    </FlagRow>
  )
}
