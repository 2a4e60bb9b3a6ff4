import type { Engine } from '../../../promotion/context/engine.ts';
import { type ApiAnswer, ok } from './answers.ts';
import type { ApiCall } from './api-call.ts';
import { timeOf } from './time-of.ts';

/** Whether this worker uses the `worker.yaml` that is on its disk. */
export function showConfig({ engine }: ApiCall): ApiAnswer {
  return ok(describeConfig(engine));
}

export function describeConfig(engine: Engine) {
  const { refused, afterRestart } = engine.configStatus();
  return {
    refused: refused === undefined ? null : { ...refused, since: timeOf(refused.since) },
    afterRestart,
  };
}
