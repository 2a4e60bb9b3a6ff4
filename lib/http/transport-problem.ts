/** Whether a repetition would fail in the same way: an invalid certificate, a refusal by a proxy, an invalid header. */
export function isPermanent(error: unknown): boolean {
  const { code = '', message } = partsOf(error);
  return isCertificateProblem(code) || message.startsWith('Proxy response') || code === 'UND_ERR_INVALID_ARG';
}

/** Describes a problem in a short text, with its code if it has one. */
export function describeProblem(error: unknown): string {
  const { code, message } = partsOf(error);
  const plain = problemTexts[code ?? ''] ?? tlsProblem(message) ?? message;
  return code === undefined || plain.includes(code) ? plain : `${plain} (${code})`;
}

/** The text for an error code; it quotes no address. Undefined for an unknown code. */
export const describeCode = (code: string): string | undefined => problemTexts[code];

/** The code for a proxy that closed the connection before it answered. */
export const proxyClosedCode = 'ERR_PROXY_CLOSED';

const noTls = 'the server does not use TLS; use http:// instead of https://, or check the port';

const problemTexts: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_SSL_HTTP_REQUEST: noTls,
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  EPIPE: 'the connection broke',
  [proxyClosedCode]: 'the proxy closed the connection without an answer',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made in time',
};

/** The reason in an OpenSSL message `….:error:0A000410:SSL routines:…:reason:…`. */
function tlsProblem(message: string): string | undefined {
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
  // The errors of several addresses of one host have the same message.
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  if (!(first instanceof Error)) return { code: undefined, message: toOneLine(String(first)) };
  const { code } = first as NodeJS.ErrnoException;
  return { code: typeof code === 'string' ? code : undefined, message: toOneLine(first.message) };
}

/** OpenSSL ends its messages with a line break. */
const toOneLine = (message: string): string => message.trim().replaceAll(/\s+/g, ' ');
