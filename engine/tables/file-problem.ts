import type { Place } from '../core/refusal.ts';

/** Something wrong in a file that a person wrote. Lines and columns count from 1. */
export interface FileProblem extends Place {
  readonly message: string;
}

/** Problems of a file: nothing of it is used. */
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
