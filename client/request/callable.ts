import type { Operation } from '../../lib/contract/description/operation.ts';

/** The parts of a row of the contract that a call needs; a custom request has its own. */
export interface Callable extends Pick<Operation, 'answer' | 'retry' | 'role'> {
  readonly id: string;
  readonly method: string;
  readonly answerNotShown?: true;
  readonly paged?: true;
}
