import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request that went over the wire. */
export interface WireCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/**
 * `lose`: the platform gets the request, the answer never comes back. `drop`: it never gets the request. `forget`: it
 * answers 404, as one that no longer knows what it is asked for. An answer is given in its place.
 */
export type WireFault = 'lose' | 'drop' | 'forget' | WireAnswer | undefined;

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A line to the platform that counts what goes over it and can lose answers. */
export interface Wire extends AsyncDisposable {
  readonly baseUrl: string;
  readonly calls: readonly WireCall[];
  /** Decides what happens to each request from now on. */
  interfere(fault: ((call: WireCall) => WireFault | Promise<WireFault>) | undefined): void;
  count(method: string, ending: string): number;
  /** Resolves once `count` such requests have been answered. */
  until(method: string, ending: string, count: number): Promise<void>;
}

/** Opens a line to an address. */
export async function openWire(target: string): Promise<Wire> {
  const calls: WireCall[] = [];
  const watchers = new Set<() => void>();
  let fault: ((call: WireCall) => WireFault | Promise<WireFault>) | undefined;
  const matches = (call: WireCall, method: string, ending: string): boolean =>
    call.method === method && call.path.split('?')[0]?.endsWith(ending) === true;
  const count = (method: string, ending: string): number =>
    calls.filter((call) => matches(call, method, ending)).length;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const call = { method: incoming.method ?? '', path: incoming.url ?? '', body: body.toString('utf8') };
    const wanted = await fault?.(call);
    const lost = wanted === 'lose';
    if (wanted === 'drop') return void incoming.socket.destroy();
    if (wanted === 'forget') {
      outgoing.writeHead(404, { 'content-type': 'application/json' });
      return void outgoing.end('{"error":"It does not exist.","status":404}');
    }
    if (typeof wanted === 'object') {
      calls.push(call);
      outgoing.writeHead(wanted.status, wanted.headers);
      return void outgoing.end(wanted.body);
    }
    const { host: _, ...headers } = incoming.headers;
    const onward = send(new URL(call.path, target), { method: call.method, headers });
    onward.end(body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const answered = await buffer(answer);
    calls.push(call);
    if (lost) incoming.socket.destroy();
    else {
      const { 'transfer-encoding': _dropped, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 500, kept);
      outgoing.end(answered);
    }
    for (const watcher of watchers) watcher();
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    calls,
    interfere(next) {
      fault = next;
    },
    count,
    async until(method, ending, wanted) {
      while (count(method, ending) < wanted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        watchers.add(resolve);
        await promise;
        watchers.delete(resolve);
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
