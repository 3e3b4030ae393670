import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { type ChangeEvent, lazy, Suspense, useRef, useState } from 'react'
import { logoBytes } from '#common/agency/logo.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Profile } from './fields.ts'
import { useSaveProfile } from './save.ts'

const CropDialog = lazy(() => import('./crop-dialog.tsx').then(({ CropDialog }) => ({ default: CropDialog })))
const kinds = ['image/png', 'image/webp', 'image/svg+xml']

/** The logo as it stands in the menu, and another one: drawn ones as they are, painted ones cropped to what is wanted of them. */
export function LogoCard({ profile }: { profile: Profile }) {
  const { words } = useWords()
  const save = useSaveProfile()
  const input = useRef<HTMLInputElement>(null)
  const [painted, setPainted] = useState<ImageBitmap>()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()

  async function take({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0]
    target.value = ''
    if (!file) return
    setFault(undefined)
    if (file.size > logoBytes) setFault(words('agency.fault.logo_size', { kilobytes: logoBytes / 1024 }))
    else if (!kinds.includes(file.type)) setFault(words('agency.fault.logo'))
    else if (file.type === 'image/svg+xml') await send(await dataUrlOf(file))
    else setPainted(await readable(file))
  }

  async function readable(file: File): Promise<ImageBitmap | undefined> {
    const picture = await createImageBitmap(file).catch(() => undefined)
    if (!picture) setFault(words('agency.fault.logo'))
    return picture
  }

  async function send(logo: string) {
    setPainted(undefined)
    setBusy(true)
    try {
      // Only the logo: whatever else was changed meanwhile stays as it is.
      await save({ logo })
      showToast({ severity: 'success', summary: words('agency.saved') })
    } catch (error) {
      const field = refusedFields(error).find(({ path }) => path === 'logo')
      setFault(field?.message ?? errorMessage(error, words))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Card title={words('agency.field.logo')}>
      <img
        src={profile.logo}
        alt={words('agency.logo.now')}
        className="size-32 justify-self-center rounded-lg border border-line object-contain p-2"
      />
      <p className="text-sm text-quiet">{words('agency.logo.hint')}</p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {fault}
      </p>
      <input
        ref={input}
        type="file"
        accept={kinds.join(',')}
        aria-label={words('agency.logo.choose')}
        tabIndex={-1}
        onChange={event => void take(event)}
        className="sr-only"
      />
      <Button look="quiet" icon="upload" busy={busy} onClick={() => input.current?.click()}>
        {words('agency.logo.choose')}
      </Button>
      {painted && (
        <Suspense>
          <CropDialog picture={painted} onClose={() => setPainted(undefined)} onCropped={logo => void send(logo)} />
        </Suspense>
      )}
    </Card>
  )
}

/** Written as text, since a drawing is one. */
async function dataUrlOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return `data:${file.type};base64,${btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))}`
}
