import { createHash, hash, type Hash } from 'node:crypto';
import type { BlobVisitor } from '../../lib/git/scan-blobs.ts';

/** Size and SHA-256 of a content. */
export interface BlobDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** A visitor that tells the digest of each blob that passes through it. */
export function blobDigests(tell: (nth: number, digest: BlobDigest) => void): BlobVisitor {
  let parts: Hash | undefined;
  let seen = 0;
  return (nth, piece, bytes) => {
    if (piece.length === bytes) {
      // At one go, which takes half as long as making a hash for each of thousands of small files.
      tell(nth, { bytes, sha256: hash('sha256', piece) });
      return;
    }
    parts ??= createHash('sha256');
    parts.update(piece);
    seen += piece.length;
    if (seen < bytes) return;
    tell(nth, { bytes, sha256: parts.digest('hex') });
    parts = undefined;
    seen = 0;
  };
}
