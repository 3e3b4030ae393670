import { openScreen } from '#portal/screen/testing.ts'

/** Opens the page of all components, in English. */
export async function openGallery() {
  const page = await openScreen(undefined, '/dev/ui', undefined, { language: 'en-EN' })
  return {
    page,
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    field: (part: string, name: string) => page.locator(`#${part} [name="${name}"]`),
    focused: () => page.locator(':focus'),
  }
}
