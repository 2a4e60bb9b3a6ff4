/** The bearer token in an Authorization header; undefined without one. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^bearer ([\x21-\x7e]+)$/i.exec(header ?? '')?.[1];
}
