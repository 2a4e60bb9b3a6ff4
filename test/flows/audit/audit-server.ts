import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Entry {
  readonly eventId: string;
  readonly eventName: string;
  readonly eventType: string;
  readonly eventTimestamp: string;
}

/** A server of audit entries whose log changes between two requests, as a busy platform's does. */
export interface AuditServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly entries: Entry[];
  /** Queries as they came, in order. */
  readonly queries: URLSearchParams[];
  add(at: number): Entry;
  /** Called after each answer was made. */
  afterAnswer: (request: number) => void;
}

/** In §4.7 the order is not shown: `newest` first, or `oldest` first. */
export async function startAuditServer(order: 'newest' | 'oldest' = 'newest'): Promise<AuditServer> {
  const entries: Entry[] = [];
  const queries: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://server').searchParams;
    queries.push(query);
    const [page, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 25)];
    const from = Date.parse(query.get('from') ?? '1970-01-01T00:00:00Z');
    const to = Date.parse(query.get('to') ?? '2999-01-01T00:00:00Z');
    const time = ({ eventTimestamp }: Entry) => Date.parse(eventTimestamp);
    const found = entries
      .filter((entry) => time(entry) >= from && time(entry) <= to)
      .toSorted((a, b) => (order === 'newest' ? time(b) - time(a) : time(a) - time(b)));
    const body = { page, size, total: found.length, results: found.slice(page * size, (page + 1) * size) };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
    audit.afterAnswer(queries.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const audit: AuditServer = {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    entries,
    queries,
    afterAnswer: () => {},
    add(at) {
      const entry = {
        eventId: `event-${String(entries.length)}`,
        eventName: 'Artifact created',
        eventType: 'ARTIFACT_CREATED',
        eventTimestamp: new Date(at).toISOString(),
      };
      entries.push(entry);
      return entry;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return audit;
}
