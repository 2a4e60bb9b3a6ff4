/** One file of an upload; opened only when its turn comes, so that an upload needs no memory. */
export interface UploadFile {
  /** The form part's key: the path relative to the project root, with forward slashes (spec §4.3). */
  readonly path: string;
  /** Exact size in bytes; a file that yields another number fails the upload (`file-changed`). */
  readonly bytes: number;
  /** The content from its beginning; called again when a request may be sent again. */
  open(): AsyncIterable<Uint8Array> | Uint8Array;
}
