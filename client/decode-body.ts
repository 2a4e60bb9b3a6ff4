import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';

/** The bytes as they were before the server encoded them, or why they cannot be had. */
export type DecodedBody =
  | { readonly kind: 'decoded'; readonly bytes: Buffer }
  /** Longer than the client reads, once it is decoded. */
  | { readonly kind: 'too-large' }
  | { readonly kind: 'undecodable'; readonly problem: string };

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: inflateEither,
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
  zstd: promisify<Buffer, { maxOutputLength: number }, Buffer>(zstdDecompress),
};

/** More than one is legal and never seen; a long list would only cost time. */
const maxCodings = 4;

/**
 * Takes the codings of `content-encoding` off a body. The client asks for none, but a server or a proxy may encode
 * unasked. `maxBytes` bounds what comes out, so that a small answer cannot fill the memory.
 */
export async function decodeBody(
  encoded: Buffer,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<DecodedBody> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim().replace(/^x-/, ''))
    .filter((coding) => coding !== '' && coding !== 'identity');
  let bytes = encoded;
  if (bytes.length === 0) return { kind: 'decoded', bytes };
  const unknown = codings.find((coding) => !Object.hasOwn(decoders, coding));
  if (unknown !== undefined || codings.length > maxCodings) {
    const named = (unknown ?? codings.join(', ')).replaceAll(/[^\w!#$%&'*+.^`|~, -]/g, '').slice(0, 40);
    return { kind: 'undecodable', problem: `it is encoded as “${named}”, which the client does not read` };
  }
  for (const coding of codings.toReversed()) {
    try {
      bytes = await (decoders[coding] as Decoder)(bytes, { maxOutputLength: maxBytes });
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? { kind: 'too-large' }
        : { kind: 'undecodable', problem: `its ${coding} encoding is broken` };
    }
  }
  return { kind: 'decoded', bytes };
}

/** Whether a header names a coding that has to be taken off. */
export function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && contentEncoding !== '' && contentEncoding !== 'identity';
}

/** Servers disagree whether `deflate` has the header of zlib. */
async function inflateEither(bytes: Buffer, options: { readonly maxOutputLength: number }): Promise<Buffer> {
  const hasHeader = ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
  return promisify<Buffer, { maxOutputLength: number }, Buffer>(hasHeader ? inflate : inflateRaw)(
    bytes,
    options,
  );
}
