/** The part of a picture that becomes the logo: a square, in pixels of the picture. */
export type Square = { x: number; y: number; side: number }

/** The zoom, and the square's position between the picture's edges, each from 0 to 100. */
export type Crop = { zoom: number; across: number; down: number }

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
export const longestSide = 256
