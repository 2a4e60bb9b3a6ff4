import type { buildConnector, Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { describeCode, proxyClosedCode } from './transport-problem.ts';
import type { OpenSockets } from './open-sockets.ts';

/**
 * The errors of undici for a connection that closes. After such an error, undici connects again at once for a waiting
 * request, without an end. Through a proxy, these errors mean that the tunnel was not opened.
 */
const closedCodes: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'UND_ERR_INFO']);

/** Opens a tunnel, once. */
const openTunnel: Dispatcher['connect'] = async function (this: Dispatcher, options: never) {
  try {
    return (await Reflect.apply(connect, this, [options])) as never;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !closedCodes.has(error.code)) throw error;
    const message = describeCode(proxyClosedCode) ?? error.message;
    throw Object.assign(new Error(message, { cause: error }), { code: proxyClosedCode });
  }
};

/** Connections through a proxy, by a tunnel for both http and https. `tls` applies to the proxy and to the target. */
export function proxyAgent(proxy: string, common: object, tls: object, sockets: OpenSockets): Dispatcher {
  return new ProxyAgent({
    ...common,
    uri: proxy,
    requestTls: tls,
    proxyTls: tls,
    // A pool has `connect`, which opens the tunnel, only if all of undici is loaded.
    clientFactory: (origin, options: { connect?: buildConnector.connector }) =>
      Object.assign(
        new Pool(origin, {
          ...options,
          ...(options.connect === undefined ? {} : { connect: sockets.tracked(options.connect) }),
        }),
        { connect: openTunnel },
      ),
  });
}
