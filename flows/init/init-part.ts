/** A part of what `millrace init` can write, in the order in which it is shown. */
export type InitPart =
  | 'settings'
  | 'rules'
  | 'ignore'
  | 'package'
  | 'baseline'
  | 'test'
  | 'hook'
  | 'review-workflow'
  | 'test-workflow'
  | 'release-workflow';

/** A file to write, which does not exist yet. */
export interface NewFile {
  readonly part: InitPart;
  /** Where it is, absolute. */
  readonly location: string;
  /** As the user sees it: relative to the repository if it is inside. */
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
  /** A few words about the content. */
  readonly about: string;
}

/** A part that is not written, with the reason. */
export interface LeftPart {
  readonly part: InitPart;
  /** The existing file, if that is the reason. */
  readonly path?: string;
  readonly reason: string;
  /** Whether the repository has this part already, so that nothing is missing. */
  readonly exists: boolean;
  /** What the user can do. */
  readonly hint?: readonly string[];
}
