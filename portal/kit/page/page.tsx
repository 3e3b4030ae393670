import { type ReactNode, useEffect } from 'react'

/** A page with its title, its buttons and its content. */
export function Page({
  title,
  hideTitle = false,
  intro,
  beside,
  actions,
  children,
}: {
  title: string
  /** Hides the title except for screen readers, on a page that begins with something more important. */
  hideTitle?: boolean
  intro?: ReactNode
  /** Content beside the title. */
  beside?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  useTitle(title)
  return (
    <div className="mx-auto grid w-full max-w-360 grid-cols-[minmax(0,1fr)] content-start gap-2.5 px-4 py-3 sm:gap-3.5 sm:px-6 sm:py-5 lg:px-7">
      <header className={hideTitle ? 'sr-only' : 'flex min-h-(--control) flex-wrap items-center gap-2 sm:gap-x-4'}>
        <div className={`grid min-w-0 gap-0.5 ${beside ? '' : 'grow basis-40 sm:basis-52'}`}>
          <h1 className="text-xl font-semibold">{title}</h1>
          {intro && <p className="text-quiet">{intro}</p>}
        </div>
        {beside && <div className="flex min-w-0 flex-1 justify-end">{beside}</div>}
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Portolan`
  }, [title])
}
