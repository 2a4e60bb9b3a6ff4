import type { Operation } from '../../lib/contract/description/operation.ts';

/** What a call needs of a row of the contract; a custom request brings its own. */
export interface Callable extends Pick<Operation, 'answer' | 'retry' | 'role'> {
  readonly id: string;
  readonly method: string;
  readonly answerNotShown?: true;
  readonly paged?: true;
}
