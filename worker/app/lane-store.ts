import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { recordFormat } from '../records/record-format.ts';
import { type Admission, createAdmission } from '../store/admission.ts';
import { type Advances, createAdvances } from '../store/advances/advances.ts';
import { type CallOptions, createScriptCalls } from '../store/call-scripts.ts';
import { createGateDecisions, type GateDecisions } from '../store/gates/gate-decisions.ts';
import { createPauses, type Pauses } from '../store/gates/pauses.ts';
import { createExportReads, type ExportReads } from '../store/lanes/export-reads.ts';
import { createLaneControl, type LaneControl, type OnEnded } from '../store/lanes/lane-control.ts';
import { createLaneReads, type LaneReads } from '../store/lanes/lane-reads.ts';
import { createPreviews, type Previews } from '../store/lanes/previews.ts';
import { createRetention, type Retention } from '../store/lanes/retention.ts';
import { createStateChecks, type StateChecks } from '../store/recovery/state-checks.ts';
import { createReporting, type Reporting } from '../store/reports/reporting.ts';
import type { Keys } from '../store/scripts/keys.ts';

/**
 * All groups of lane and promotion records. Only this folder uses the whole: other code names the groups that it
 * needs.
 */
export interface LaneStore
  extends
    Admission,
    Advances,
    ExportReads,
    GateDecisions,
    LaneControl,
    LaneReads,
    Pauses,
    Previews,
    Reporting,
    Retention,
    StateChecks {}

/**
 * Creates all groups of records on one connection. `onEnded` is called for promotions that ended without an
 * advance: superseded, or cancelled while they waited.
 */
export function createLaneStore(
  redis: Redis,
  keys: Keys,
  clock: Clock,
  onEnded: OnEnded = () => undefined,
  options: CallOptions = {},
): LaneStore {
  const call = createScriptCalls(redis, keys, clock, options);
  const format = options.format?.known ?? recordFormat;
  const superseded = (count: number): void => {
    if (count > 0) onEnded('superseded', count);
  };
  return {
    ...createAdmission(call, clock, superseded),
    ...createAdvances(call, superseded, format),
    ...createExportReads(redis, keys),
    ...createGateDecisions(redis, keys, call, () => onEnded('cancelled', 1)),
    ...createLaneControl(call, onEnded),
    ...createLaneReads(redis, keys),
    ...createPauses(redis, keys, call),
    ...createPreviews(redis, keys),
    ...createReporting(redis, keys, call, format),
    ...createRetention(redis, keys),
    ...createStateChecks(redis, keys, clock, call),
  };
}
