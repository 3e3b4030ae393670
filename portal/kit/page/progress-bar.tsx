import './progress-bar.css'

/** Shows the progress of a task; without a value, that it is running. */
export function Progress({ label, value, max = 100 }: { label: string; value?: number; max?: number }) {
  const share = value === undefined ? undefined : Math.min(1, Math.max(0, value / max))
  return (
    <label className="grid gap-1.5 text-sm text-quiet">
      <span className="flex justify-between gap-4">
        <span>{label}</span>
        {share !== undefined && <span aria-hidden="true">{Math.round(share * 100)}&#8239;%</span>}
      </span>
      <progress {...(share === undefined ? {} : { value: share })} className="progress" />
    </label>
  )
}
