import type { Exchange, LoggedRequest } from './exchange.ts';

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
