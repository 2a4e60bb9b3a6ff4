import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/** The text of the metrics `process_*` and `nodejs_*`: one registry for all workers of the process, created on use. */
export async function processMetrics(): Promise<string> {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry.metrics();
}
