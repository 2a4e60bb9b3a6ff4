import { type DecodedText, decodeText } from '../../lib/core/files/decode-text.ts';
import type { Place } from '../core/refusal.ts';

/** A mistake in a file that a person wrote. Lines and columns count from 1. */
export interface FileProblem extends Place {
  readonly message: string;
}

/** Thrown if a file has mistakes. Nothing in such a file is used. */
export class FileProblems extends Error {
  override readonly name = 'FileProblems';
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly FileProblem[]) {
    super(problems.map(({ message }) => message).join('; '));
    this.problems = problems;
  }
}

export function problemAt(place: Place, message: string): FileProblems {
  const { file, line, column } = place;
  return new FileProblems([{ file, line, column, message }]);
}

/** Decodes the bytes of a text file. Throws FileProblems with the first position that is not valid text. */
export function textOfFile(content: Uint8Array | DecodedText, file: string): string {
  const { text, fault } = content instanceof Uint8Array ? decodeText(content) : content;
  if (fault === undefined) return text;
  const { line, column, reason } = fault;
  throw problemAt({ file, line, column }, `the file cannot be read: ${reason}`);
}
