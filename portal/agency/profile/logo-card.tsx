import { type ChangeEvent, lazy, Suspense, useRef, useState } from 'react'
import { errorMessage, refusedFields } from '#portal/kit/errors/error-message.ts'
import { logoBytes } from '#common/agency/profile.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type Profile, useSaveProfile } from './profile.ts'

const CropDialog = lazy(() => import('./crop-dialog.tsx').then(({ CropDialog }) => ({ default: CropDialog })))
const mediaTypes = ['image/png', 'image/webp', 'image/svg+xml']

/** Shows and replaces the logo. An SVG is uploaded unchanged; a raster image is cropped first. */
export function LogoCard({ profile }: { profile: Profile }) {
  const { words } = useWords()
  const save = useSaveProfile()
  const input = useRef<HTMLInputElement>(null)
  const [raster, setRaster] = useState<ImageBitmap>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0]
    target.value = ''
    if (!file) return
    setProblem(undefined)
    if (file.size > logoBytes) setProblem(words('agency.fault.logo_size', { kilobytes: logoBytes / 1024 }))
    else if (!mediaTypes.includes(file.type)) setProblem(words('agency.fault.logo'))
    else if (file.type === 'image/svg+xml') await send(await dataUrlOf(file))
    else setRaster(await decode(file))
  }

  async function decode(file: File): Promise<ImageBitmap | undefined> {
    const picture = await createImageBitmap(file).catch(() => undefined)
    if (!picture) setProblem(words('agency.fault.logo'))
    return picture
  }

  async function send(logo: string) {
    setRaster(undefined)
    setBusy(true)
    try {
      // Only the logo is sent, so that later changes of other fields are kept.
      await save({ logo })
      showToast({ severity: 'success', summary: words('agency.saved') })
    } catch (error) {
      const field = refusedFields(error).find(({ path }) => path === 'logo')
      setProblem(field?.message ?? errorMessage(error, words))
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
        {problem}
      </p>
      <input
        ref={input}
        type="file"
        accept={mediaTypes.join(',')}
        aria-label={words('agency.logo.choose')}
        tabIndex={-1}
        onChange={event => void choose(event)}
        className="sr-only"
      />
      <Button look="quiet" icon="upload" busy={busy} onClick={() => input.current?.click()}>
        {words('agency.logo.choose')}
      </Button>
      {raster && (
        <Suspense>
          <CropDialog picture={raster} onClose={() => setRaster(undefined)} onCropped={logo => void send(logo)} />
        </Suspense>
      )}
    </Card>
  )
}

/** Returns the file as a data URL. */
async function dataUrlOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return `data:${file.type};base64,${btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))}`
}
