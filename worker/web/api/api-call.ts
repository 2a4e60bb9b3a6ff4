import type { Via } from '../../records/audit-entry.ts';
import type { Operator } from '../../operators/operator.ts';
import type { Engine } from '../../promotion/engine.ts';

/** A call that may be answered: who asks is known and has the role, and what it is about is theirs to touch. */
export interface ApiCall {
  readonly operator: Operator;
  /** The way that it came in, for the audit. */
  readonly via: Via;
  readonly engine: Engine;
  /** Id of the lane, the promotion or whatever the route is about; '' where it is about none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Whether nobody waits for the answer any more. */
  readonly isDisconnected?: (() => boolean) | undefined;
}

/** A text of the body, trimmed and cut at 500 characters; undefined where it is missing or empty. */
export function textOf({ body }: Pick<ApiCall, 'body'>, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 500) : undefined;
}

/** Whether the body has something under a name, be it of the wrong kind. */
export function isGiven({ body }: Pick<ApiCall, 'body'>, name: string): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name);
}

/** A number of the query between 1 and `most`. */
export function limitOf({ query }: Pick<ApiCall, 'query'>, max: number): number {
  return Math.min(Math.max(Math.trunc(Number(query.get('limit') ?? 50)) || 50, 1), max);
}
