import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import type { FaultKind } from './fault-kinds.ts';
import type { FaultWords, TextEdit } from './fault.ts';
import type { SqlScript, SqlToken } from './sql-structure.ts';

/** A change of SQL. Offsets count from the start of the SQL. */
export interface SqlFault extends FaultWords {
  readonly edits: readonly TextEdit[];
  /** What a person looks at. */
  readonly at: { readonly start: number; readonly end: number };
}

/** Finds all changes of some kinds in the statements of a text. */
export type FindSqlFaults = (script: SqlScript, statement: readonly SqlToken[]) => readonly SqlFault[];

/** How much of a text a report shows. */
const maxWords = 80;

/** A text in the form in which reports show it: on one line, and cut if it is long. */
export function shownWords(text: string): string {
  const line = oneLine(text).replaceAll(/\s+/g, ' ');
  return line.length <= maxWords ? line : `${line.slice(0, maxWords - 1).trimEnd()}…`;
}

/** Replaces a token by another word, in capital letters if the token is. */
export function replaceToken(kind: FaultKind, token: SqlToken, word: string): SqlFault {
  const text = token.kind === 'word' && token.raw === token.raw.toLowerCase() ? word.toLowerCase() : word;
  const { start, end, raw } = token;
  return { kind, edits: [{ start, end, text }], before: raw, after: text, at: { start, end } };
}

/** Replaces the text from one token to another. */
export function replaceRange(
  kind: FaultKind,
  script: SqlScript,
  [first, last]: readonly [SqlToken, SqlToken],
  text: string,
): SqlFault {
  const at = { start: first.start, end: last.end };
  const before = shownWords(script.text.slice(at.start, at.end));
  return { kind, edits: [{ ...at, text }], before, after: shownWords(text), at };
}

/** Leaves a part out, with the blanks up to `next`, or else with the blanks before the part. */
export function leaveOut(
  kind: FaultKind,
  script: SqlScript,
  part: readonly SqlToken[],
  next?: SqlToken,
): readonly SqlFault[] {
  const [first, last] = [part[0], part.at(-1)];
  // A comma goes with it, but is not what a person looks at.
  const shown = first?.raw === ',' ? part[1] : first;
  if (first === undefined || last === undefined || shown === undefined) return [];
  const at = { start: shown.start, end: last.end };
  const blanks = /\s*$/.exec(script.text.slice(0, first.start))?.[0].length ?? 0;
  // After a comment, the end of its line must stay.
  const isAfterToken = script.tokens.some(({ end }) => end === first.start - blanks);
  const start = next === undefined && isAfterToken ? first.start - blanks : first.start;
  const edit = { start, end: next?.start ?? at.end, text: '' };
  return [{ kind, edits: [edit], before: shownWords(script.text.slice(at.start, at.end)), after: '', at }];
}
