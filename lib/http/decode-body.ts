import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';

/** The decoded bytes, or the reason why decoding failed. */
export type DecodedBody =
  | { readonly kind: 'decoded'; readonly bytes: Buffer }
  /** The decoded body is longer than the client's limit. */
  | { readonly kind: 'too-large' }
  | { readonly kind: 'undecodable'; readonly problem: string };

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: inflateEither,
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
  zstd: promisify<Buffer, { maxOutputLength: number }, Buffer>(zstdDecompress),
};

/** More than one is legal but does not occur in practice; a long list would only take time. */
const maxCodings = 4;

/**
 * Decodes a body by its `content-encoding`. The client requests no encoding, but a server or a proxy may use one
 * anyway. `maxBytes` limits the decoded size, so that a small answer cannot fill the memory.
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
    return { kind: 'undecodable', problem: `it is encoded as “${named}”, which the client does not support` };
  }
  for (const coding of codings.toReversed()) {
    try {
      bytes = await (decoders[coding] as Decoder)(bytes, { maxOutputLength: maxBytes });
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? { kind: 'too-large' }
        : { kind: 'undecodable', problem: `its ${coding} encoding is invalid` };
    }
  }
  return { kind: 'decoded', bytes };
}

/** Whether the header names an encoding that must be decoded. */
export function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && contentEncoding !== '' && contentEncoding !== 'identity';
}

/** Servers differ in whether `deflate` has a zlib header. */
async function inflateEither(bytes: Buffer, options: { readonly maxOutputLength: number }): Promise<Buffer> {
  const hasHeader = ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
  return promisify<Buffer, { maxOutputLength: number }, Buffer>(hasHeader ? inflate : inflateRaw)(
    bytes,
    options,
  );
}
