import { readTraceParent } from '../../telemetry/trace-parent.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';

/**
 * The fields of every log line about a promotion. With them, all lines of a promotion, lane, delivery or trace can
 * be found.
 */
export function logFieldsOf({ id, lane, seq, task, step }: PromotionRecord): Record<string, unknown> {
  const trace = readTraceParent(task.trace);
  return {
    promotion_id: id,
    lane,
    seq,
    delivery_id: task.delivery,
    ...(step.name === 'watch' ? { execution_id: step.executionId } : {}),
    ...(trace === undefined ? {} : { trace_id: trace.traceId }),
  };
}
