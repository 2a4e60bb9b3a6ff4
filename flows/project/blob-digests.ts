import { createHash, hash, type Hash } from 'node:crypto';
import type { BlobVisitor } from '../../lib/git/scan-blobs.ts';

/** Size and SHA-256 of a content. */
export interface BlobDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** A visitor that tells the digest of each blob that passes through it. */
export function blobDigests(tell: (index: number, digest: BlobDigest) => void): BlobVisitor {
  let parts: Hash | undefined;
  let seen = 0;
  return (index, chunk, bytes) => {
    if (chunk.length === bytes) {
      // At one go, which takes half as long as making a hash for each of thousands of small files.
      tell(index, { bytes, sha256: hash('sha256', chunk) });
      return;
    }
    parts ??= createHash('sha256');
    parts.update(chunk);
    seen += chunk.length;
    if (seen < bytes) return;
    tell(index, { bytes, sha256: parts.digest('hex') });
    parts = undefined;
    seen = 0;
  };
}
