import type { AttemptEnd } from './attempt.ts';

/** The attempt's end where an error proves that nothing was sent; `undefined` where it does not. */
export function neverSent(error: unknown): (AttemptEnd & { kind: 'never-sent' }) | undefined {
  const { code = '', syscall, message } = partsOf(error);
  const problem = describeProblem(error);
  const whileConnecting =
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    code === 'ECONNREFUSED' ||
    message.startsWith('Client network socket disconnected before secure TLS');
  if (whileConnecting) return { kind: 'never-sent', problem, permanent: false };
  if (isCertificateProblem(code)) return { kind: 'never-sent', problem, permanent: true };
  // The tunnel to the platform was refused, so nothing went through it.
  if (message.startsWith('Proxy response')) return { kind: 'never-sent', problem, permanent: true };
  return undefined;
}

/** A problem in a few words, with its code where it has one. */
export function describeProblem(error: unknown): string {
  const { code, message } = partsOf(error);
  const plain = plainWords[code ?? ''] ?? message;
  return code === undefined || plain.includes(code) ? plain : `${plain} (${code})`;
}

const plainWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EPIPE: 'the connection broke',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made in time',
};

function isCertificateProblem(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS|WRONG_VERSION_NUMBER/.test(code);
}

interface Parts {
  readonly code: string | undefined;
  readonly syscall: string | undefined;
  readonly message: string;
}

function partsOf(error: unknown): Parts {
  // Several addresses of one host were tried: their errors say the same thing.
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  if (!(first instanceof Error)) return { code: undefined, syscall: undefined, message: String(first) };
  const { code, syscall } = first as NodeJS.ErrnoException;
  return { code: typeof code === 'string' ? code : undefined, syscall, message: first.message };
}
