import type { Range } from '../../../lib/core/outcomes/finding.ts';
import type { TransitionKind } from '../../../lib/pipelines/model/component.ts';
import type { FaultKind } from './fault-kinds.ts';

/** A replacement of a part of a text. Offsets count UTF-16 units; the end is exclusive. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What a change replaces, for people. Each text is one line; an empty `after` means that `before` is left out. */
export interface FaultWords {
  readonly kind: FaultKind;
  readonly before: string;
  readonly after: string;
}

/** A planted change of one file, as small as possible. */
export interface Fault extends FaultWords, Range {
  /** Six letters and digits, from the file, the component, the changed part, what is around it, and the change: lines do not count. */
  readonly id: string;
  /** The pipeline, or the file with SQL, relative to the project. */
  readonly file: string;
  /** Undefined in a file with SQL. */
  readonly component: string | undefined;
  /** The changed part of the component, such as `filterConditions`; empty in a file with SQL. */
  readonly part: string;
  /** The transition that is left out: only a test that takes it can notice. */
  readonly transition?: { readonly on: TransitionKind; readonly to: string } | undefined;
  /** In the order of the file; they do not overlap. */
  readonly edits: readonly TextEdit[];
}

/** The text after the edits, which must not overlap. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}
