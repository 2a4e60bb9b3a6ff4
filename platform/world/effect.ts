import type { OperationId } from '../../lib/contract/operations.ts';
import type { Caller } from './caller.ts';
import type { World } from './world.ts';

/** The events of §6 that an operation of the specification can cause. */
export type EventName =
  | 'Project created'
  | 'Environment created'
  | 'Artifact created'
  | 'Artifact disabled'
  | 'Streaming pipeline created'
  | 'Streaming pipeline started'
  | 'Streaming pipeline stopped';

/** What happened to the subject. */
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
] as const;
export type EffectName = (typeof effectNames)[number];

export interface Effect {
  readonly operation: OperationId;
  readonly caller: Caller;
  /** The request that caused the effect. */
  readonly requestId: string;
  readonly projectId?: string;
  readonly effect: EffectName;
  readonly subject: { readonly type: string; readonly id: string; readonly name: string };
  /** One sentence: what changed. */
  readonly description: string;
  /** The audit event. Absent if §6 has none: then only the ledger lists the change (unknowns §6). */
  readonly event?: EventName;
}

/** Records a change. Every change calls this, inside the transaction that makes it. */
export function recordEffect(world: World, effect: Effect): void {
  const { caller, subject } = effect;
  world.store.run(
    `INSERT INTO effect (id, at, operation, effect, request_id, project_id, subject_type, subject_id, subject_name,
       description, event, actor_id, actor_email) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    world.ids.uuid(),
    world.clock.now(),
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
}
