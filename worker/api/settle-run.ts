import { resumeAt } from '../run/resume-at.ts';
import { type ApiAnswer, conflict, ok, unknown, wrong } from './answers.ts';
import { type ApiCall, textOf } from './api-call.ts';

/** An id as the platform gives it; it becomes part of an address. */
const idForm = /^[0-9A-Za-z_-]{1,100}$/;

/**
 * Settles a run that is indeterminate by what a person has found out: `executionId` (the execution that it started),
 * or `happened` (true or false); `reason` is kept with it. The run goes on from there.
 */
export async function settleRun(call: ApiCall): Promise<ApiAnswer> {
  const { id, operator, engine } = call;
  const { store, queues, clock } = engine;
  const run = await store.run(id);
  if (run === undefined) return unknown();
  if (run.outcome !== 'indeterminate') return conflict('the run is not indeterminate');
  const executionId = textOf(call, 'executionId');
  if (executionId !== undefined && !idForm.test(executionId)) return wrong('`executionId` is no such id');
  const happened = flagOf(call, 'happened');
  const at = resumeAt(run, { executionId, happened }, operator.name, clock.now());
  if ('wrong' in at) return wrong(at.wrong);
  const reason = textOf(call, 'reason') ?? '';
  const words = { by: operator.name, executionId, happened, reason };
  const { said, started } = await store.resume(run, at, { by: operator.name, words });
  switch (said) {
    case 'not-indeterminate':
      return conflict('the run is not indeterminate');
    case 'busy':
      return conflict('another run has the lane: wait for its end, or cancel it');
    case 'passed-by':
      return conflict('a newer version has been verified in the lane since');
    case 'ok':
      if (started !== '') await queues.hurryTurn(started);
      return ok({ run: id, goesOn: started === id }, 202);
  }
}

function flagOf({ body }: Pick<ApiCall, 'body'>, name: string): boolean | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return typeof value === 'boolean' ? value : undefined;
}
