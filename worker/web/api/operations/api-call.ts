import type {
  DeadLetterStore,
  Deliveries,
  GitHubReads,
  LiveVersions,
  PlatformCalls,
  Policy,
  Queues,
  Records,
  StateKnowledge,
  Words,
} from '../../../promotion/context/ports.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Admission } from '../../../store/admission.ts';
import type { LaneControl } from '../../../store/lanes/lane-control.ts';
import type { GateDecisions } from '../../../store/gates/gate-decisions.ts';
import type { Pauses } from '../../../store/gates/pauses.ts';
import type { Previews } from '../../../store/lanes/previews.ts';
import type { ExportReads } from '../../../store/lanes/export-reads.ts';
import type { Reporting } from '../../../store/reports/reporting.ts';
import type { Via } from '../../../records/audit-entry.ts';
import type { Operator } from '../../../operators/operator.ts';

/**
 * The ports that the operations of the API use; each operation names its part. No operation advances promotions, or
 * checks and removes records.
 */
export interface ApiPorts
  extends
    Records<
      Admission & ExportReads & GateDecisions & LaneControl & LaneReads & Pauses & Previews & Reporting
    >,
    PlatformCalls,
    Policy,
    Queues,
    GitHubReads,
    LiveVersions,
    DeadLetterStore,
    Deliveries,
    Words,
    Pick<StateKnowledge, 'format'> {}

/** A call by an authenticated operator with the required role, on a resource that they may access. */
export interface ApiCall<Ports = object> {
  readonly operator: Operator;
  /** The entrance, for the audit. */
  readonly via: Via;
  readonly ports: Ports;
  /** Id of the lane, the promotion or another resource of the route; '' for none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Whether the caller has disconnected. */
  readonly isDisconnected?: (() => boolean) | undefined;
}

/** A text field of the body, trimmed and cut at 500 characters; undefined if it is missing or empty. */
export function textOf({ body }: Pick<ApiCall, 'body'>, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 500) : undefined;
}

/** Whether the body has a field, even if its type is wrong. */
export function isGiven({ body }: Pick<ApiCall, 'body'>, name: string): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name);
}

/** Whether a field of the body is true. Forms send `yes`. */
export function isYes({ body }: Pick<ApiCall, 'body'>, name: string): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return value === true || value === 'yes';
}

/** A number in the query between 1 and `max`. */
export function limitOf({ query }: Pick<ApiCall, 'query'>, max: number): number {
  return Math.min(Math.max(Math.trunc(Number(query.get('limit') ?? 50)) || 50, 1), max);
}
