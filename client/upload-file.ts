import type { Pieces } from './pieces.ts';

/** One file of an upload; opened only when its turn comes, so that an upload needs no memory. */
export interface UploadFile {
  /** The form part's key: the path relative to the project root, with forward slashes (spec §4.3). */
  readonly path: string;
  /** Exact size in bytes; a file that yields another number fails the upload (`file-changed`). */
  readonly bytes: number;
  /** The content from its beginning; called again when a request may be sent again. */
  open(): AsyncIterable<Uint8Array> | Uint8Array;
  /**
   * For a content that is at hand at once: reads it from its beginning into `target`, which has room for one byte more
   * than `bytes`, and gives how many it has, so that a longer one is noticed. Used instead of `open`, for small files: it
   * spares thousands of them a buffer each.
   */
  readInto?(target: Uint8Array): number;
  /**
   * The same content as `open`, where most of it is at hand at once. Used instead of `open`, for large files: it spares a
   * few promises for each piece.
   */
  pieces?(): Pieces;
}
