import { createHash, hash, type Hash } from 'node:crypto';
import type { BlobVisitor } from '../../lib/git/objects/scan-blobs.ts';

/** The size of a blob in bytes, and its SHA-256. */
export interface BlobDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** A visitor of blobs that calls `onDigest` with the digest of each. */
export function blobDigests(onDigest: (index: number, digest: BlobDigest) => void): BlobVisitor {
  let parts: Hash | undefined;
  let hashedBytes = 0;
  return (index, chunk, bytes) => {
    if (chunk.length === bytes) {
      // One call is twice as fast as a hash object for each of thousands of small files.
      onDigest(index, { bytes, sha256: hash('sha256', chunk) });
      return;
    }
    parts ??= createHash('sha256');
    parts.update(chunk);
    hashedBytes += chunk.length;
    if (hashedBytes < bytes) return;
    onDigest(index, { bytes, sha256: parts.digest('hex') });
    parts = undefined;
    hashedBytes = 0;
  };
}
