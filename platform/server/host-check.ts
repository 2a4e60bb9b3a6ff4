import type { FastifyInstance } from 'fastify';
import { isIP } from 'node:net';
import { refuse } from '../refusal/refusal.ts';

/**
 * Refuses a request whose Host is not this machine, to prevent DNS rebinding by web pages. A platform that listens
 * on other addresses does not check this, because it cannot know its names.
 */
export function registerHostCheck(server: FastifyInstance, bound: string): void {
  if (!isLoopback(bound)) return;
  // Cached, because a client sends the same Host every time.
  let lastAccepted: string | undefined;
  server.addHook('onRequest', (request, _reply, done) => {
    const { host: header = '' } = request.headers;
    if (header === lastAccepted) return done();
    const host = nameIn(header);
    if (isLoopback(host) || host === bound.toLowerCase()) {
      lastAccepted = header;
      return done();
    }
    done(refuse(403, `The Host "${host.slice(0, 200)}" is not this machine; use 127.0.0.1 or localhost.`));
  });
}

/** The name in a Host header, without the port and the brackets of an IPv6 address. */
function nameIn(host: string): string {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (bracketed ?? plain).toLowerCase();
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
