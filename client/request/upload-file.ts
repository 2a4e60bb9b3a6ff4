import type { Chunks } from '../transport/chunks.ts';

/** One file of an upload. It is opened only when it is sent, so that an upload needs little memory. */
export interface UploadFile {
  /** The form part's key: the path relative to the project root, with forward slashes (spec §4.3). */
  readonly path: string;
  /** Exact size in bytes; content of another size fails the upload (`file-changed`). */
  readonly bytes: number;
  /** Opens the content at its beginning; called again for each repetition of the request. */
  open(): AsyncIterable<Uint8Array> | Uint8Array;
  /**
   * For content that can be read synchronously: reads it from its beginning into `target` and returns the number of
   * bytes. `target` has room for one byte more than `bytes`, so that a longer file is detected. Used instead of
   * `open` for small files: it avoids a buffer for each of thousands of files.
   */
  readInto?(target: Uint8Array): number;
  /**
   * The same content as `open`, for content that is mostly available synchronously. Used instead of `open` for large
   * files: it avoids a few promises for each chunk.
   */
  chunks?(): Chunks;
}
