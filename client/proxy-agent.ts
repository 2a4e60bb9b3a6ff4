import type { buildConnector, Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import type { OpenSockets } from './open-sockets.ts';

/** Connections through a proxy, by a tunnel for both http and https. `tls` applies to the proxy and to the target. */
export function proxyAgent(proxy: string, common: object, tls: object, sockets: OpenSockets): Dispatcher {
  return new ProxyAgent({
    ...common,
    uri: proxy,
    requestTls: tls,
    proxyTls: tls,
    // A pool has `connect`, which opens the tunnel, only where all of undici is loaded.
    clientFactory: (origin, options: { connect?: buildConnector.connector }) =>
      Object.assign(
        new Pool(origin, {
          ...options,
          ...(options.connect === undefined ? {} : { connect: sockets.tracked(options.connect) }),
        }),
        { connect },
      ),
  });
}
