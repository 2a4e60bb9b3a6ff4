import type { Exchange, LoggedRequest } from './exchange.ts';

export interface RequestLog {
  add(exchange: Exchange): void;
  /** The newest requests, oldest first. */
  list(): readonly LoggedRequest[];
  /** A request with its content, by request id. */
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
      // The list grows to twice its limit before the older half is dropped: one copy per thousand requests.
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
