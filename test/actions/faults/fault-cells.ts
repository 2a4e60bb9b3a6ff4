import type { OperationId } from '../../../lib/contract/operations.ts';
import type { FaultPlan } from '../../../platform/faults/fault-schema.ts';
import type { ActionRun } from '../action-environment.ts';

/** What happens around an action. */
export interface Cell {
  /** Follows "when …". */
  readonly when: string;
  /** What the platform does; `echo` is a text that foreign answers may hold, such as the token that was sent. */
  readonly faults?: (operation: OperationId, echo: string) => FaultPlan;
  readonly event?: 'pull request of a fork' | 'merge group';
  /** GitHub refuses everything. */
  readonly gitHubRefuses?: boolean;
  readonly run?: Partial<ActionRun>;
  readonly cancel?: boolean;
  /** How often the same step runs; the last one counts. */
  readonly times?: number;
  /** What is shortened: the pauses before the next try, or those and the minute for which an answer is awaited. */
  readonly hurried?: 'pauses' | 'patience';
}

/** The cells of the matrix by their names: each action says how it ends in each of them. */
export const cells = {
  tag: { when: 'it runs on a tag' },
  again: { when: 'the same step runs a second time', times: 2 },
  refused: {
    when: 'the platform refuses it (400)',
    faults: (operation, echo) => [{ operation, status: 400, body: { error: `no, ${echo}`, status: 400 } }],
  },
  forbidden: {
    when: 'the platform forbids it (403)',
    faults: (operation, echo) => [
      { operation, status: 403, body: { error: `not you, ${echo}`, status: 403 } },
    ],
  },
  broken: {
    when: 'the platform fails at it (503) before anything is done',
    faults: (operation) => [{ operation, status: 503, body: { error: 'later', status: 503 } }],
    hurried: 'pauses',
  },
  silent: {
    when: 'the platform never answers, and nothing is done',
    faults: (operation) => [{ operation, wire: 'silence', processed: false }],
    hurried: 'patience',
  },
  garbage: {
    when: 'a web page takes the place of the answer, and nothing is done',
    faults: (operation, echo) => [{ operation, status: 200, body: `<html>Log in, ${echo}</html>` }],
    hurried: 'pauses',
  },
  lost: {
    when: 'it is done and every answer to it is lost',
    faults: (operation) => [{ operation, wire: 'reset-after' }],
    hurried: 'pauses',
  },
  'lost once': {
    when: 'it is done and the first answer to it is lost',
    faults: (operation) => [{ operation, wire: 'reset-after', times: 1 }],
    hurried: 'pauses',
  },
  'GitHub refuses': { when: 'GitHub refuses everything (403)', gitHubRefuses: true },
  fork: {
    when: 'a pull request of a fork starts it, without secrets',
    event: 'pull request of a fork',
    run: { token: '' },
  },
  queue: { when: 'the merge queue starts it', event: 'merge group' },
  cancelled: {
    when: 'the workflow is cancelled while the platform takes its time',
    faults: (operation) => [{ operation, latency: '20s' }],
    cancel: true,
  },
} as const satisfies Record<string, Cell>;

export type CellName = keyof typeof cells;
