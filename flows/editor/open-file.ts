/** A file that is open in an editor. */
export interface OpenFile {
  /** Relative to the repository. */
  readonly path: string;
  /** The text in the editor; undefined if it is larger than a pipeline may be. */
  readonly text: string | undefined;
  /** The file does not exist on disk yet. */
  readonly isNew: boolean;
}
