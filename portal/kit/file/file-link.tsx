import { Icon } from '#portal/kit/ui/icon.tsx'

/** A link that downloads a document of a product or a policy. */
export function FileLink({ name, file, label }: { name: string; file: string; label: string }) {
  return (
    <a href={file} download={name} className="inline-flex min-h-(--control) items-center gap-2 underline underline-offset-4">
      <Icon name="download" /> {label}
    </a>
  )
}
