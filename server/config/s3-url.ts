export type Bucket = { origin: string; root: string; region: string; accessKey: string; secret: string }

/** Reads `s3://key:secret@host[:port]/bucket[/folder]?region=eu-west-1`; `&tls=false` for http. */
export function readS3Url(text: string): Bucket | undefined {
  const url = URL.parse(text)
  const [, bucket, ...folder] = url?.pathname.split('/') ?? []
  if (url?.protocol !== 's3:' || !url.host || !bucket || !url.username || !url.password) return undefined
  const { searchParams } = url
  return {
    origin: `${searchParams.get('tls') === 'false' ? 'http' : 'https'}://${url.host}`,
    root: ['', bucket, ...folder.filter(Boolean)].join('/'),
    region: searchParams.get('region') ?? 'us-east-1',
    accessKey: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
  }
}
