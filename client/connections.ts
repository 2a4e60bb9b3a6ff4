import type { Dispatcher } from 'undici';
import { Failure } from '../lib/core/failure.ts';
import type { ProxySettings } from './client-options.ts';
import { bypassesProxy } from './no-proxy.ts';
import { createOpenSockets, type OpenSockets } from './open-sockets.ts';

/** The client's own connections; never undici's global dispatcher, which belongs to Node. */
export interface Connections {
  /**
   * `fresh`: over a connection that carried nothing before. On a kept one, a close by the platform and our request
   * can cross, and whether the request arrived cannot be told; that is no matter for what may be repeated.
   */
  dispatcherFor(origin: string, fresh: boolean): Dispatcher | Promise<Dispatcher>;
  /** Host and port of an origin, and of the proxy on the way to it, for messages. */
  addressOf(origin: string): string;
  close(): Promise<void>;
}

const connectTimeoutMs = 10_000;

export function openConnections(options: {
  readonly dispatcher?: Dispatcher | undefined;
  readonly proxy?: ProxySettings | undefined;
  readonly ca?: string | undefined;
}): Connections {
  const given = options.dispatcher;
  if (given !== undefined)
    return { dispatcherFor: () => given, addressOf: hostAndPort, close: async () => {} };
  for (const proxy of [options.proxy?.http, options.proxy?.https]) checkProxy(proxy);
  // Meanwhile: a client is made in order to be called, and the first call waits for it.
  loadAgent().catch(() => {});
  const open = new Map<string, Dispatcher | Promise<Dispatcher>>();
  const sockets = createOpenSockets();
  return {
    dispatcherFor(origin, fresh) {
      const proxy = proxyFor(origin, options.proxy);
      const key = `${proxy ?? ''} ${fresh}`;
      const known = open.get(key);
      if (known !== undefined) return known;
      const dispatcher = connect(proxy, fresh, sockets, options.ca);
      open.set(key, dispatcher);
      // Later calls need not wait for a promise. Whoever waits for this one hears what went wrong.
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
      // Not `close`, which waits for requests that were broken off before they had a connection: no call is under way.
      await Promise.all([...open.values()].map(async (dispatcher) => (await dispatcher).destroy()));
      sockets.destroy();
    },
  };
}

/**
 * Loaded with the first client and not with this file, because who imports the client for its types or its errors needs
 * none of it: it brings Node's TLS and HTTP/2 with it. Only the part that is needed: the whole of undici takes longer to
 * load than everything else in the client. In the bundle it is a part of its own, which a step without calls never reads.
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
  // The client times each attempt itself, over the whole of it; undici's timers would only add a second answer.
  const common = {
    headersTimeout: 0,
    bodyTimeout: 0,
    // No pipelining at all is undici's way to say: no keep-alive.
    ...(fresh ? { pipelining: 0 } : {}),
  };
  if (proxy !== undefined) {
    return (await import('./proxy-agent.ts')).proxyAgent(proxy, { ...common, connect: tls }, tls, sockets);
  }
  const [{ default: Agent }, { default: buildConnector }] = await loadAgent();
  return new Agent({ ...common, connect: sockets.tracked(buildConnector(tls)) });
}

/** Not quoted: it may hold a password. @throws {Failure} `usage` */
function checkProxy(proxy: string | undefined): void {
  if (proxy === undefined || proxy === '') return;
  const protocol = URL.parse(proxy)?.protocol;
  if (protocol === 'http:' || protocol === 'https:') return;
  throw new Failure('usage', {
    message: 'The address of the proxy is not an http or https address.',
    where: { input: 'proxy' },
    hint: 'Write it like http://proxy.example.com:3128, in HTTP_PROXY and HTTPS_PROXY too.',
  });
}

function proxyFor(origin: string, settings: ProxySettings | undefined): string | undefined {
  if (settings === undefined) return undefined;
  const url = new URL(origin);
  if (bypassesProxy(url, settings.no)) return undefined;
  const proxy = url.protocol === 'https:' ? settings.https : settings.http;
  return proxy === undefined || proxy === '' ? undefined : proxy;
}

/** The port of the scheme where none is written. A user name or password is left out. */
function hostAndPort(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}
