import type { FlowContext } from '../context/context.ts';
import type { Client } from '../../client/index.ts';

/** What provisioning receives. It has no project id, because the project may not exist yet. */
export interface ProvisionContext extends FlowContext {
  readonly client: Client;
}

/**
 * The state of one part of a set-up. `missing`: it will be created. `unseen`: the API cannot show it; it will be
 * created if it does not exist. `exists`: it exists, and the API does not show its fields. `extra`: it is only on
 * the platform.
 */
export type PartState = 'missing' | 'unseen' | 'created' | 'same' | 'exists' | 'differs' | 'extra';

/** A field that differs on the platform and that the API cannot change. */
export interface PartDifference {
  readonly field: string;
  readonly platform: string | null;
  readonly file: string;
}

export interface ProvisionPart {
  readonly kind: 'project' | 'connection' | 'environment' | 'repository';
  readonly name: string;
  readonly state: PartState;
  readonly differences: readonly PartDifference[];
}
