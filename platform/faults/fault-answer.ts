import { STATUS_CODES } from 'node:http';
import type { MatchedFaultRule } from './faults.ts';

/** An answer that will be sent, whole or broken. */
export interface FaultAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Send this number of filler bytes instead of the body. */
  readonly fillerBytes: number | undefined;
}

/** The answer that a rule defines; `undefined` if the rule damages the platform's own answer. */
export function answerOf(matched: MatchedFaultRule): FaultAnswer | undefined {
  const { status, headers = {}, body, bodyBytes } = matched;
  if (status === undefined) return undefined;
  const ruleHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const text = typeof body === 'string';
  const type = text || body === undefined ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  return {
    status,
    headers: {
      ...(body === undefined && bodyBytes === undefined ? {} : { 'content-type': type }),
      ...ruleHeaders,
    },
    body: Buffer.from(body === undefined ? '' : text ? body : JSON.stringify(body), 'utf8'),
    fillerBytes: bodyBytes,
  };
}

/** The answer of the platform itself. */
export function ownAnswer(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  payload: unknown,
): FaultAnswer {
  const named = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.from(payload) : undefined;
  return {
    // An answer with the status 204 has no body that could be broken, so its status becomes 200.
    status: body === undefined ? 200 : status,
    headers: Object.fromEntries(named),
    body: body ?? Buffer.from('{}'),
    fillerBytes: undefined,
  };
}

const framing: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection']);

/** Whether the headers of a rule determine the framing of the body. */
export function framesItself({ headers }: FaultAnswer): boolean {
  return Object.keys(headers).some((name) => framing.has(name));
}

/** The head of an answer as bytes. Its framing may be wrong on purpose. */
export function headOf(answer: FaultAnswer, frame: Readonly<Record<string, string>>): string {
  const headers = {
    date: new Date().toUTCString(),
    connection: 'close',
    ...withoutFraming(answer),
    ...frame,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(answer.status)} ${STATUS_CODES[answer.status] ?? 'Fault'}\r\n${lines.join('')}\r\n`;
}

function withoutFraming({ headers }: FaultAnswer): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.has(name)));
}
