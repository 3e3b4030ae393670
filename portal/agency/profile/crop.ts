/** What of a picture is kept: a square of it, in the picture's own pixels. */
export type Square = { x: number; y: number; side: number }

/** How far it is magnified, and where the square lies between the edges: each from 0 to 100. */
export type Wish = { zoom: number; across: number; down: number }

/** At 0 the whole picture is in the square, with room beside it; at 100 a quarter of its shorter side fills it. */
export function squareOf(picture: { width: number; height: number }, { zoom, across, down }: Wish): Square {
  const { width, height } = picture
  const largest = Math.max(width, height)
  const smallest = Math.min(width, height) / 4
  const side = largest - ((largest - smallest) * zoom) / 100
  // What does not fill the square stands in its middle; of what is larger, the wish says which part.
  const place = (length: number, wish: number) => (length <= side ? (length - side) / 2 : ((length - side) * wish) / 100)
  return { x: place(width, across), y: place(height, down), side }
}

/** No logo is shown larger, and none needs more. */
export const longestSide = 256
