export type Appearance = { variables?: Record<string, string> }

/** Stripe's appearance variables and our CSS properties. */
const choices: Readonly<Record<string, string>> = {
  colorPrimary: '--card-primary',
  colorBackground: '--card-background',
  colorText: '--card-text',
  colorDanger: '--card-danger',
  borderRadius: '--card-radius',
  fontFamily: '--card-font',
  fontSizeBase: '--card-size',
}

/** Adds the styles as a constructed sheet, which even the strictest content security policy allows. */
export function addStyles(): void {
  if (document.adoptedStyleSheets.includes(sheet)) return
  sheet.replaceSync(rules)
  document.adoptedStyleSheets.push(sheet)
}

export function applyAppearance(root: HTMLElement, { variables = {} }: Appearance): void {
  for (const [name, value] of Object.entries(variables)) {
    const ours = choices[name]
    if (ours) root.style.setProperty(ours, value)
  }
}

const sheet = new CSSStyleSheet()

const rules = `
.fake-card { display: grid; grid-template-columns: 1fr 1fr; column-gap: 1rem; font-family: var(--card-font, inherit); font-size: var(--card-size, 1rem); color: var(--card-text, inherit); }
.fake-card > div { display: grid; grid-row: span 3; grid-template-rows: subgrid; margin-block-end: 1rem; }
.fake-card > :first-child, .fake-card > .fake-card-note { grid-column: 1 / -1; }
.fake-card label { align-self: end; margin-block-end: 0.25rem; font-size: 0.875em; font-weight: 500; }
.fake-card input { box-sizing: border-box; inline-size: 100%; min-block-size: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: var(--card-background, transparent); border: 1px solid color-mix(in srgb, currentColor 60%, transparent); border-radius: var(--card-radius, 0.375rem); }
.fake-card input:focus-visible, .fake-card-dialog button:focus-visible { outline: 2px solid var(--card-primary, currentColor); outline-offset: 2px; }
.fake-card input[aria-invalid='true'] { border-color: var(--card-danger, #b3261e); }
.fake-card p { margin: 0.25rem 0 0; font-size: 0.875em; }
.fake-card [role='alert'] { color: var(--card-danger, #b3261e); }
.fake-card [role='alert']:empty { display: none; }
.fake-card-dialog { margin: auto; max-inline-size: min(28rem, calc(100vw - 2rem)); padding: 1.5rem; color: CanvasText; background: Canvas; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 0.75rem; box-shadow: 0 1rem 3rem rgb(0 0 0 / 30%); font: inherit; font-family: var(--card-font, inherit); }
.fake-card-dialog::backdrop { background: rgb(0 0 0 / 45%); }
.fake-card-dialog h2 { margin: 0 0 0.5rem; font-size: 1.125rem; }
.fake-card-dialog div { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-block-start: 1.25rem; }
.fake-card-dialog button { min-block-size: 2.75rem; padding: 0.5rem 1rem; font: inherit; font-weight: 500; color: inherit; background: transparent; border: 1px solid color-mix(in srgb, currentColor 60%, transparent); border-radius: var(--card-radius, 0.375rem); cursor: pointer; }
.fake-card-dialog button:first-child { color: Canvas; background: CanvasText; }
`
