export type Appearance = { variables?: Record<string, string> }

/** Stripe's names for what a page may choose, and ours. */
const choices: Readonly<Record<string, string>> = {
  colorPrimary: '--card-primary',
  colorBackground: '--card-background',
  colorText: '--card-text',
  colorDanger: '--card-danger',
  borderRadius: '--card-radius',
  fontFamily: '--card-font',
  fontSizeBase: '--card-size',
}

/** A constructed sheet: no inline style, so the strictest policy lets it in. */
export function dress(): void {
  if (document.adoptedStyleSheets.includes(sheet)) return
  sheet.replaceSync(rules)
  document.adoptedStyleSheets.push(sheet)
}

export function choose(root: HTMLElement, { variables = {} }: Appearance): void {
  for (const [name, value] of Object.entries(variables)) {
    const ours = choices[name]
    if (ours) root.style.setProperty(ours, value)
  }
}

const sheet = new CSSStyleSheet()

const rules = `
.card-stand-in { display: grid; grid-template-columns: 1fr 1fr; column-gap: 1rem; font-family: var(--card-font, inherit); font-size: var(--card-size, 1rem); color: var(--card-text, inherit); }
.card-stand-in > div { display: grid; grid-row: span 3; grid-template-rows: subgrid; margin-block-end: 1rem; }
.card-stand-in > :first-child, .card-stand-in > .card-stand-in-note { grid-column: 1 / -1; }
.card-stand-in label { align-self: end; margin-block-end: 0.25rem; font-size: 0.875em; font-weight: 500; }
.card-stand-in input { box-sizing: border-box; inline-size: 100%; min-block-size: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: var(--card-background, transparent); border: 1px solid color-mix(in srgb, currentColor 60%, transparent); border-radius: var(--card-radius, 0.375rem); }
.card-stand-in input:focus-visible, .card-stand-in-dialog button:focus-visible { outline: 2px solid var(--card-primary, currentColor); outline-offset: 2px; }
.card-stand-in input[aria-invalid='true'] { border-color: var(--card-danger, #b3261e); }
.card-stand-in p { margin: 0.25rem 0 0; font-size: 0.875em; }
.card-stand-in [role='alert'] { color: var(--card-danger, #b3261e); }
.card-stand-in [role='alert']:empty { display: none; }
.card-stand-in-dialog { margin: auto; max-inline-size: min(28rem, calc(100vw - 2rem)); padding: 1.5rem; color: CanvasText; background: Canvas; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 0.75rem; box-shadow: 0 1rem 3rem rgb(0 0 0 / 30%); font: inherit; font-family: var(--card-font, inherit); }
.card-stand-in-dialog::backdrop { background: rgb(0 0 0 / 45%); }
.card-stand-in-dialog h2 { margin: 0 0 0.5rem; font-size: 1.125rem; }
.card-stand-in-dialog div { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-block-start: 1.25rem; }
.card-stand-in-dialog button { min-block-size: 2.75rem; padding: 0.5rem 1rem; font: inherit; font-weight: 500; color: inherit; background: transparent; border: 1px solid color-mix(in srgb, currentColor 60%, transparent); border-radius: var(--card-radius, 0.375rem); cursor: pointer; }
.card-stand-in-dialog button:first-child { color: Canvas; background: CanvasText; }
`
