import { useEffect, useRef, useState } from 'react'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { useWords } from '#portal/kit/words.tsx'

type Props = { picture: ImageBitmap; onClose: () => void; onCropped: (dataUrl: string) => void }

/** Crops a raster image to a square logo. Three sliders work with keyboard and touch alike. */
export function CropDialog({ picture, onClose, onCropped }: Props) {
  const { words } = useWords()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [crop, setCrop] = useState<Crop>({ zoom: 0, across: 50, down: 50 })
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const { x, y, side } = squareOf(picture, crop)
    const scale = longestSide / side
    context.imageSmoothingQuality = 'high'
    context.clearRect(0, 0, longestSide, longestSide)
    context.drawImage(picture, -x * scale, -y * scale, picture.width * scale, picture.height * scale)
  }, [picture, crop])
  const sliders = [
    ['zoom', words('agency.logo.zoom')],
    ['across', words('agency.logo.across')],
    ['down', words('agency.logo.down')],
  ] as const
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={words('agency.logo.crop')}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            {words('ui.cancel')}
          </Button>
          <Button onClick={() => canvas.current && onCropped(canvas.current.toDataURL('image/png'))}>{words('agency.logo.use')}</Button>
        </>
      }
    >
      <canvas
        ref={canvas}
        width={longestSide}
        height={longestSide}
        role="img"
        aria-label={words('agency.logo.preview')}
        className="size-48 justify-self-center rounded-lg border border-line bg-sunken"
      />
      {sliders.map(([name, label]) => (
        <label key={name} className="grid gap-1 text-sm text-quiet">
          {label}
          <input
            type="range"
            min={0}
            max={100}
            value={crop[name]}
            data-first={name === 'zoom' || undefined}
            onChange={event => setCrop({ ...crop, [name]: Number(event.target.value) })}
            className="min-h-8 accent-ink pointer-coarse:min-h-11"
          />
        </label>
      ))}
    </Dialog>
  )
}

/** The part of a picture that becomes the logo: a square, in pixels of the picture. */
export type Square = { x: number; y: number; side: number }

/** The zoom, and the square's position between the picture's edges, each from 0 to 100. */
type Crop = { zoom: number; across: number; down: number }

/**
 * Returns the square for a zoom and position. At zoom 0 it contains the whole picture, with empty space beside the shorter side. At zoom 100 its side
 * is a quarter of the picture's shorter side.
 */
export function squareOf(picture: { width: number; height: number }, { zoom, across, down }: Crop): Square {
  const { width, height } = picture
  const largest = Math.max(width, height)
  const smallest = Math.min(width, height) / 4
  const side = largest - ((largest - smallest) * zoom) / 100
  // A side shorter than the square is centred; on a longer one, the position decides.
  const offset = (length: number, position: number) => (length <= side ? (length - side) / 2 : ((length - side) * position) / 100)
  return { x: offset(width, across), y: offset(height, down), side }
}

/** The side of the square logo, in pixels. No screen shows it larger. */
const longestSide = 256
