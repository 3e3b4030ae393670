/** A parsed form: `metadata[sale]=7` is a group with one entry, `expand[]=a` a group with the entry 0. */
export type Form = { [name: string]: string | Form }

/** Parses application/x-www-form-urlencoded as Stripe does. The objects have no prototype, so `__proto__` is an ordinary name. */
export function readForm(text: string): Form {
  const form = empty()
  for (const [name, value] of new URLSearchParams(text)) put(form, pathOf(name), value)
  return form
}

function pathOf(name: string): string[] {
  const [head = '', ...rest] = name.split('[')
  return rest.every(part => part.endsWith(']')) ? [head, ...rest.map(part => part.slice(0, -1))] : [name]
}

function put(form: Form, path: string[], value: string): void {
  const [first = '', ...rest] = path
  const name = first || String(Object.keys(form).length)
  if (rest.length === 0) {
    form[name] = value
    return
  }
  const held = form[name]
  const group = typeof held === 'object' ? held : empty()
  form[name] = group
  put(group, rest, value)
}

// Safe: an object without a prototype is an empty form.
const empty = (): Form => Object.create(null) as Form
