import { extractText, getDocumentProxy } from 'unpdf'

/** Reads a PDF back: its text, its language, and whether it is tagged for screen readers. */
export async function readPdf(bytes: Buffer) {
  const raw = bytes.toString('latin1')
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const { text: pages } = await extractText(pdf, { mergePages: false })
  const marks = await pdf.getMarkInfo()
  const tags = JSON.stringify(await (await pdf.getPage(1)).getStructTree())
  return {
    text: pages.join(' ').replaceAll(/\s+/g, ' '),
    pages,
    language: /\/Lang ?\((.*?)\)/.exec(raw)?.[1],
    isTagged: marks?.['Marked'] === true && /"H1".*"H2"/.test(tags),
    isForAll: raw.includes('<pdfuaid:part>1</pdfuaid:part>'),
    tags,
  }
}
