import type { Dispatcher } from 'undici';
import { Failure } from '../core/errors/failure.ts';
import type { ProxySettings } from './proxy-settings.ts';
import { bypassesProxy } from './no-proxy.ts';
import { createOpenSockets, type OpenSockets } from './open-sockets.ts';

/** Connections of this client. Undici's global dispatcher is never used, because it belongs to Node. */
export interface Connections {
  /**
   * `fresh`: the request uses a new connection. The platform may close a kept connection while we send, and then nothing
   * shows whether the request arrived. Requests that may be repeated do not need this.
   */
  dispatcherFor(origin: string, fresh: boolean): Dispatcher | Promise<Dispatcher>;
  /** Host and port of an origin, and of its proxy, for messages. */
  addressOf(origin: string): string;
  close(): Promise<void>;
}

const connectTimeoutMs = 10_000;

export function openConnections(options: {
  readonly dispatcher?: Dispatcher | undefined;
  readonly proxy?: ProxySettings | undefined;
  readonly ca?: string | undefined;
}): Connections {
  const customDispatcher = options.dispatcher;
  if (customDispatcher !== undefined)
    return { dispatcherFor: () => customDispatcher, addressOf: hostAndPort, close: async () => {} };
  for (const proxy of [options.proxy?.http, options.proxy?.https]) validateProxy(proxy);
  // Start loading now: the first call needs it.
  loadAgent().catch(() => {});
  const open = new Map<string, Dispatcher | Promise<Dispatcher>>();
  const sockets = createOpenSockets();
  return {
    dispatcherFor(origin, fresh) {
      const proxy = proxyFor(origin, options.proxy);
      const key = `${proxy ?? ''} ${fresh}`;
      const existing = open.get(key);
      if (existing !== undefined) return existing;
      const dispatcher = connect(proxy, fresh, sockets, options.ca);
      open.set(key, dispatcher);
      // Later calls need no promise. The error reaches the caller that awaits this promise.
      dispatcher.then((connected) => open.set(key, connected)).catch(() => {});
      return dispatcher;
    },
    addressOf(origin) {
      const proxy = proxyFor(origin, options.proxy);
      return proxy === undefined
        ? hostAndPort(origin)
        : `${hostAndPort(origin)} (through the proxy ${hostAndPort(proxy)})`;
    },
    async close() {
      // Not `close`: it waits for requests that were aborted before they had a connection. No call is active here.
      await Promise.all([...open.values()].map(async (dispatcher) => (await dispatcher).destroy()));
      sockets.destroy();
    },
  };
}

/**
 * Loaded with the first client, not with this file: code that imports only types or errors does not need it, and it
 * loads Node's TLS and HTTP/2. Only the needed modules are imported, because all of undici takes longer to load than
 * the rest of the client. In the bundle it is a separate chunk, which a step without calls never reads.
 */
const loadAgent = () =>
  Promise.all([import('undici/lib/dispatcher/agent.js'), import('undici/lib/core/connect.js')]);

async function connect(
  proxy: string | undefined,
  fresh: boolean,
  sockets: OpenSockets,
  ca: string | undefined,
): Promise<Dispatcher> {
  const tls = { timeout: connectTimeoutMs, ...(ca === undefined ? {} : { ca }) };
  // The client times each whole attempt itself; undici's timers would only add a second error.
  const common = {
    headersTimeout: 0,
    bodyTimeout: 0,
    // In undici, `pipelining: 0` turns keep-alive off.
    ...(fresh ? { pipelining: 0 } : {}),
  };
  if (proxy !== undefined) {
    return (await import('./proxy-agent.ts')).proxyAgent(proxy, { ...common, connect: tls }, tls, sockets);
  }
  const [{ default: Agent }, { default: buildConnector }] = await loadAgent();
  return new Agent({ ...common, connect: sockets.tracked(buildConnector(tls)) });
}

/** The error does not quote the address: it may contain a password. @throws {Failure} `usage` */
function validateProxy(proxy: string | undefined): void {
  if (proxy === undefined || proxy === '') return;
  const protocol = URL.parse(proxy)?.protocol;
  if (protocol === 'http:' || protocol === 'https:') return;
  throw new Failure('usage', {
    message: 'The address of the proxy is not an http or https address.',
    where: { input: 'proxy' },
    hint: 'Use the form http://proxy.example.com:3128. The address comes from HTTPS_PROXY or HTTP_PROXY, if the option proxy is not given.',
  });
}

function proxyFor(origin: string, settings: ProxySettings | undefined): string | undefined {
  if (settings === undefined) return undefined;
  const url = new URL(origin);
  if (bypassesProxy(url, settings.no)) return undefined;
  const proxy = url.protocol === 'https:' ? settings.https : settings.http;
  return proxy === undefined || proxy === '' ? undefined : proxy;
}

/** Uses the scheme's default port if the address has none. Omits a user name and password. */
function hostAndPort(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}
