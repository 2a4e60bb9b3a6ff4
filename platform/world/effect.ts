import type { OperationId } from '../../lib/contract/operations.ts';
import type { Caller } from './caller.ts';
import type { EventName } from '../seed/event-names.ts';
import type { Ids } from '../random/ids.ts';
import type { Store } from '../store/store.ts';

/** The kinds of effects on an object. */
export const effectNames = [
  'created',
  'registered',
  'linked',
  'changed',
  'deleted',
  'set',
  'promoted',
  'published',
  'enabled',
  'disabled',
  'started',
  'stopped',
  'terminated',
  'recorded',
] as const;
export type EffectName = (typeof effectNames)[number];

/** The person or credential that an event names as its actor. */
export type Actor = Pick<Caller, 'id' | 'email'>;

export interface Effect {
  /** The operation of the specification, or the route of the platform itself. */
  readonly operation: OperationId | `_platform/${string}`;
  readonly caller: Actor;
  /** The request that caused the effect. */
  readonly requestId: string;
  readonly projectId?: string;
  readonly effect: EffectName;
  readonly subject: { readonly type: string; readonly id: string; readonly name: string };
  /** One sentence: what changed. */
  readonly description: string;
  /** The audit event. Absent if §6 has none: then only the ledger lists the change (unknowns §6). */
  readonly event?: EventName;
  /** Default: now. */
  readonly at?: number;
}

/** What is needed to record an effect. A seed is planted before a whole world exists. */
export interface Recording {
  readonly store: Store;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly clock: { now(): number };
}

/** The actor of effects that routes of the platform itself record, because they need no token. */
export const localActor: Actor = { id: 'local-platform', email: 'local-platform@example.com' };

/** Records a change. Every change calls this, inside the transaction that makes it. Returns the id of its event. */
export function recordEffect({ store, ids, clock }: Recording, effect: Effect): string {
  const { caller, subject } = effect;
  const id = ids.uuid();
  store.run(
    `INSERT INTO effect (id, at, operation, effect, request_id, project_id, subject_type, subject_id, subject_name,
       description, event, actor_id, actor_email) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    effect.at ?? clock.now(),
    effect.operation,
    effect.effect,
    effect.requestId,
    effect.projectId ?? null,
    subject.type,
    subject.id,
    subject.name,
    effect.description,
    effect.event ?? null,
    caller.id,
    caller.email,
  );
  return id;
}
