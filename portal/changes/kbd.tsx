/** The key of a button, in the button. */
export const Kbd = ({ children }: { children: string }) => (
  <kbd aria-hidden="true" className="rounded-sm border px-1 text-xs pointer-coarse:hidden">
    {children}
  </kbd>
)
