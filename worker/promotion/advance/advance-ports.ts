import type { Advances } from '../../store/advances/advances.ts';
import type { GateDecisions } from '../../store/gates/gate-decisions.ts';
import type { Pauses } from '../../store/gates/pauses.ts';
import type { LaneControl } from '../../store/lanes/lane-control.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { StateChecks } from '../../store/recovery/state-checks.ts';
import type {
  DeadLetterStore,
  ExecutionTimes,
  GitHubReads,
  LiveVersions,
  PlanSecrets,
  PlatformCalls,
  Policy,
  Queues,
  Records,
  Replication,
  Telemetry,
} from '../context/ports.ts';

/** The ports that the steps of a promotion use. */
export interface AdvancePorts
  extends
    Records<Advances & GateDecisions & LaneControl & LaneReads & Pauses & StateChecks>,
    PlatformCalls,
    Pick<Policy, 'config' | 'settings'>,
    Queues,
    GitHubReads,
    Telemetry,
    LiveVersions,
    PlanSecrets,
    ExecutionTimes,
    DeadLetterStore,
    Replication {}
