const rest =
  'If Redis and all workers stop at the same time now, it may be lost: see docs/deploy.md, “What operators say”.';

/** The warning that an action of an operator is in force, but is not confirmed to be on a disk. */
export const notKeptText = {
  no: `It is in force, but neither Redis nor a journal of the worker has confirmed that it is on a disk. ${rest}`,
  unknown: `It is in force, but Redis does not say whether it is on a disk, and the worker keeps no journal. ${rest}`,
} as const;

/** Whether the action that an answer of the API confirms is on a disk; undefined if the answer confirms no action. */
export function keptIn(answer: unknown): 'yes' | keyof typeof notKeptText | undefined {
  if (typeof answer !== 'object' || answer === null || !('durable' in answer)) return undefined;
  if (answer.durable === null) return 'unknown';
  return answer.durable === true ? 'yes' : 'no';
}
