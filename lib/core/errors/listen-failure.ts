import { Failure } from './failure.ts';

/** A server that a user starts, for messages about its address. */
export interface ListeningServer {
  /** `The local platform` */
  readonly name: string;
  /** The kind of server that may already use the port: `a platform`. */
  readonly others: string;
  readonly host: string;
  readonly port: number;
}

const unknownHosts = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];
const takenPorts = ['EADDRINUSE', 'EACCES'];

/**
 * The failure 'usage' if a server cannot listen at its address, with the option to change; for any other error, the
 * error itself.
 */
export function listenFailure(error: unknown, { name, others, host, port }: ListeningServer): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isWrongHost = unknownHosts.includes(code);
  if (!isWrongHost && !takenPorts.includes(code)) return error;
  return new Failure('usage', {
    message: `${name} cannot listen on ${host}:${port} (${code}).`,
    where: { input: isWrongHost ? '--host' : '--port' },
    hint: isWrongHost
      ? 'Choose an address of this machine, such as 127.0.0.1.'
      : code === 'EADDRINUSE'
        ? `Another program uses this port, such as ${others} that still runs. End that program, or choose another port (0: any free port).`
        : 'Choose another port, or 0 for any free port.',
    cause: error,
  });
}
