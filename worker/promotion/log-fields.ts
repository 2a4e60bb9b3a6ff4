import { readTraceParent } from '../telemetry/trace-parent.ts';
import type { RunRecord } from '../records/run-record.ts';

/** What every log line about a run says, so that all lines of a run, a lane, a delivery or a trace can be found. */
export function logFieldsOf({ id, lane, seq, plan, step }: RunRecord): Record<string, unknown> {
  const trace = readTraceParent(plan.trace);
  return {
    run_id: id,
    lane,
    seq,
    delivery_id: plan.delivery,
    ...(step.name === 'watch' ? { execution_id: step.executionId } : {}),
    ...(trace === undefined ? {} : { trace_id: trace.traceId }),
  };
}
