import { Icon, type IconName } from '#portal/kit/ui/icon.tsx'

/** A secondary line with an icon in front. */
export const Note = ({ icon, children }: { icon: IconName; children: string }) => (
  <p className="flex gap-2 text-sm text-quiet">
    <Icon name={icon} className="mt-0.5 size-4" /> <span>{children}</span>
  </p>
)
