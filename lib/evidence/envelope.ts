import { sign, verify } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../core/values/canonical-json.ts';
import type { PublicKey, SigningKey } from './keys.ts';

const payloadType = 'application/vnd.in-toto+json';

/** The maximum size of the text of an envelope, in bytes. */
export const maxEnvelopeBytes = 32 * 1024 * 1024;

/** A parsed DSSE envelope whose signatures are not verified yet. */
export interface Envelope {
  readonly payload: Buffer;
  readonly signatures: readonly { readonly keyId: string; readonly signature: Buffer }[];
}

/** Base64 that has one text for its bytes. */
const base64 = z.string().transform((text, context) => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) context.addIssue({ code: 'custom', message: 'is not base64' });
  return bytes;
});

const envelopeSchema = z.strictObject({
  payloadType: z.literal(payloadType),
  payload: base64,
  signatures: z
    .array(z.strictObject({ keyid: z.string().regex(/^[0-9a-f]{64}$/u), sig: base64 }))
    .min(1)
    .max(8),
});

/** Signs bytes with each of the keys. The text ends with a line break. */
export function signEnvelope(payload: Buffer, keys: readonly SigningKey[]): string {
  const signed = preAuthenticationEncoding(payload);
  const signatures = keys.map(({ id, privateKey }) => ({
    keyid: id,
    sig: sign(null, signed, privateKey).toString('base64'),
  }));
  return `${canonicalJson({ payloadType, payload: payload.toString('base64'), signatures })}\n`;
}

/**
 * Parses an envelope without verifying it; undefined if the text is not an envelope, for example because it is
 * truncated.
 */
export function readEnvelope(text: string): Envelope | undefined {
  if (Buffer.byteLength(text) > maxEnvelopeBytes) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = envelopeSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { payload, signatures } = parsed.data;
  return { payload, signatures: signatures.map(({ keyid, sig }) => ({ keyId: keyid, signature: sig })) };
}

/** Whether the envelope has a valid signature of the key. */
export function isSignedBy({ payload }: Envelope, signature: Buffer, { key }: PublicKey): boolean {
  return verify(null, preAuthenticationEncoding(payload), key, signature);
}

/** DSSE’s PAE: what is signed names its type and its lengths, so that no other bytes can be taken for it. */
function preAuthenticationEncoding(payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}
