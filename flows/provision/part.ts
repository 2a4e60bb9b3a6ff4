import type { FlowContext } from '../context/context.ts';
import type { Client } from '../../client/index.ts';

/** What provisioning is given: there may be no project yet. */
export interface ProvisionContext extends FlowContext {
  readonly client: Client;
}

/**
 * How one part of a set-up stands. `missing`: it would be created. `unseen`: the API cannot show it; it would be created if it is not there.
 * `there`: it was there, and the API does not show what it holds. `extra`: on the platform only.
 */
export type PartState = 'missing' | 'unseen' | 'created' | 'same' | 'there' | 'differs' | 'extra';

/** A field that is other on the platform, and that the API cannot change. */
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
