import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { Failure, type Place } from '../core/errors/failure.ts';

/** A public key and its id. */
export interface PublicKey {
  /** SHA-256 of the public key in DER, in hexadecimal: the `keyid` of its signatures. */
  readonly id: string;
  readonly key: KeyObject;
}

/** A private key, and the public key that belongs to it. */
export interface SigningKey extends PublicKey {
  readonly privateKey: KeyObject;
}

/** A new pair of Ed25519 keys. */
export function createSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, ...idOf(publicKey) };
}

/**
 * Reads a private key: PKCS #8 as PEM, or its base64 on one line. Throws Failure 'evidence-key-invalid', which never quotes the
 * text.
 */
export function readSigningKey(text: string, where: Place): SigningKey {
  const privateKey = attempt(() => {
    const trimmed = text.trim();
    return trimmed.startsWith('-----')
      ? createPrivateKey(trimmed)
      : createPrivateKey({ key: Buffer.from(trimmed, 'base64'), format: 'der', type: 'pkcs8' });
  });
  if (privateKey?.asymmetricKeyType !== 'ed25519')
    throw new Failure('evidence-key-invalid', {
      message:
        privateKey === undefined
          ? 'The key that signs evidence is not a private key.'
          : `The key that signs evidence is an ${privateKey.asymmetricKeyType ?? 'unknown'} key, not an Ed25519 key.`,
      where,
    });
  return { privateKey, ...idOf(createPublicKey(privateKey)) };
}

/** Reads a public key as `keygen` writes it: base64 of the key in DER; undefined if the text is not an Ed25519 key. */
export function readPublicKey(text: string): PublicKey | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) return undefined;
  const key = attempt(() => createPublicKey({ key: bytes, format: 'der', type: 'spki' }));
  return key?.asymmetricKeyType === 'ed25519' ? idOf(key) : undefined;
}

/** A public key as `readPublicKey` reads it. */
export function publicKeyText({ key }: PublicKey): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** The private key as PEM. */
export function privateKeyText({ privateKey }: SigningKey): string {
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

function idOf(key: KeyObject): PublicKey {
  const id = createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex');
  return { id, key };
}

function attempt(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
