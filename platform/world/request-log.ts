import type { Exchange } from './exchange.ts';
import type { WireFault } from '../faults/fault-schema.ts';

/**
 * What became of a request: `open` has no answer yet, `answered` got the platform's own answer (a refusal is one too),
 * `fault` got the answer of a fault rule, `rate-limited` a 429, `hung-up` did not wait for its answer; all others are
 * what a fault did to the connection.
 */
export type Fate = 'open' | 'answered' | 'fault' | 'rate-limited' | 'hung-up' | WireFault;

export interface LoggedRequest {
  readonly requestId: string;
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly project: string | null;
  /** As it was sent, or would have been without a fault on the wire; null where there was none. */
  status: number | null;
  fate: Fate;
}

export interface RequestLog {
  add(exchange: Exchange): void;
  /** The newest requests, oldest first. */
  list(): readonly LoggedRequest[];
  /** The same with what went over the wire, by the request's id. */
  find(requestId: string): Exchange | undefined;
  /** All requests since the start or the last reset, by operation. */
  counts(): Readonly<Record<string, number>>;
  clear(): void;
}

export const keptRequests = 1000;

export function createRequestLog(): RequestLog {
  let requests: Exchange[] = [];
  let counts = new Map<string, number>();
  return {
    add(exchange) {
      requests.push(exchange);
      // Twice as many before the older half goes: one copy for a thousand requests.
      if (requests.length >= 2 * keptRequests) requests = requests.slice(-keptRequests);
      const { operation } = exchange.entry;
      if (operation !== null) counts.set(operation, (counts.get(operation) ?? 0) + 1);
    },
    list: () => requests.slice(-keptRequests).map(({ entry }) => entry),
    find: (id) => requests.findLast(({ entry }) => entry.requestId === id),
    counts: () => Object.fromEntries(counts),
    clear() {
      requests = [];
      counts = new Map();
    },
  };
}
