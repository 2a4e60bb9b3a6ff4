/** Whether what failed like this before it was sent will fail again: a certificate, a proxy's refusal, a wrong header. */
export function isPermanent(error: unknown): boolean {
  const { code = '', message } = partsOf(error);
  return isCertificateProblem(code) || message.startsWith('Proxy response') || code === 'UND_ERR_INVALID_ARG';
}

/** A problem in a few words, with its code where it has one. */
export function describeProblem(error: unknown): string {
  const { code, message } = partsOf(error);
  const plain = plainWords[code ?? ''] ?? tlsWords(message) ?? message;
  return code === undefined || plain.includes(code) ? plain : `${plain} (${code})`;
}

const noTls =
  'it does not speak TLS; if it is meant to, the port is wrong, else write http:// instead of https://';

const plainWords: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_SSL_HTTP_REQUEST: noTls,
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EPIPE: 'the connection broke',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made in time',
};

/** What OpenSSL says between its own numbers and the lines of its source: `….:error:0A000410:SSL routines:…:reason:…`. */
function tlsWords(message: string): string | undefined {
  const reason = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/i.exec(message)?.[1];
  if (reason === undefined) return undefined;
  return /wrong version number|packet length too long|http request/i.test(reason)
    ? noTls
    : `the TLS handshake failed: ${reason.trim()}`;
}

function isCertificateProblem(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS|ERR_SSL|EPROTO/.test(code);
}

interface Parts {
  readonly code: string | undefined;
  readonly message: string;
}

function partsOf(error: unknown): Parts {
  // Several addresses of one host were tried: their errors say the same thing.
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  if (!(first instanceof Error)) return { code: undefined, message: inOneLine(String(first)) };
  const { code } = first as NodeJS.ErrnoException;
  return { code: typeof code === 'string' ? code : undefined, message: inOneLine(first.message) };
}

/** OpenSSL ends its messages with a line break. */
const inOneLine = (message: string): string => message.trim().replaceAll(/\s+/g, ' ');
