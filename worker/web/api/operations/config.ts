import type { Policy } from '../../../promotion/context/ports.ts';
import { type ApiAnswer, ok } from './answers.ts';
import type { ApiCall } from './api-call.ts';
import { timeOf } from './time-of.ts';

/** Whether this worker uses the `worker.yaml` that is on its disk. */
export function showConfig({ ports }: ApiCall<Pick<Policy, 'configStatus'>>): ApiAnswer {
  return ok(describeConfig(ports));
}

export function describeConfig(ports: Pick<Policy, 'configStatus'>) {
  const { refused, afterRestart } = ports.configStatus();
  return {
    refused: refused === undefined ? null : { ...refused, since: timeOf(refused.since) },
    afterRestart,
  };
}
