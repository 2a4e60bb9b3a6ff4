import { artifacts } from './areas/artifacts.ts';
import { audit } from './areas/audit.ts';
import { executions } from './areas/executions.ts';
import { provisioning } from './areas/provisioning.ts';
import { shared } from './areas/shared.ts';
import { streaming } from './areas/streaming.ts';
import { variables } from './areas/variables.ts';
import type { Operation } from './description/operation.ts';

/** All operations, in the order of the specification (§4). */
export const operations = [
  ...provisioning,
  ...streaming,
  ...artifacts,
  ...executions,
  ...variables,
  ...audit,
  ...shared,
] as const;

export type AnyOperation = (typeof operations)[number];
export type OperationId = AnyOperation['id'];
export type OperationOf<Id extends OperationId> = Extract<AnyOperation, { id: Id }>;

const byId = new Map<string, AnyOperation>(operations.map((operation) => [operation.id, operation]));

/** The operation with an id; `undefined` if the specification has none. */
export function findOperation(id: string): AnyOperation | undefined {
  return byId.get(id);
}

/** An operation without its literal types, for code that treats all operations alike. */
export function asOperation(operation: AnyOperation): Operation {
  return operation;
}
