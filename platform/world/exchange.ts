import type { WireFault } from '../faults/fault-schema.ts';

/**
 * How a request ended. `open`: not answered yet. `answered`: with the platform's own answer, including a refusal.
 * `fault`: with the answer of a fault rule. `rate-limited`: with a 429. `hung-up`: the caller closed the connection
 * before the answer. All others name what a fault did to the connection.
 */
export type RequestOutcome = 'open' | 'answered' | 'fault' | 'rate-limited' | 'hung-up' | WireFault;

export interface LoggedRequest {
  readonly requestId: string;
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly project: string | null;
  /** The status that was sent, or would have been sent without a fault on the wire; null if there was none. */
  status: number | null;
  outcome: RequestOutcome;
}

/** The stored part of a body. */
export interface KeptBody {
  readonly text: string;
  /** Length of the whole body in characters; larger than the length of `text` if the body was truncated. */
  readonly length: number;
}

/** One file of an upload. */
export interface KeptPart {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * A request with its content, for the inspector. It is stored unmasked, with its secrets, and masked when it is
 * shown, because few requests are shown.
 */
export interface Exchange {
  readonly entry: LoggedRequest;
  /** Names and values alternate. */
  readonly headers: readonly string[];
  body: KeptBody | undefined;
  /** The first files of an upload. */
  readonly parts: KeptPart[];
  answer: KeptBody | undefined;
}

export const keptCharacters = 8192;
export const keptParts = 200;

/** The beginning of a body. A truncated text is copied, because a slice would keep the whole body in memory. */
export function keepBody(text: string): KeptBody {
  const { length } = text;
  if (length <= keptCharacters) return { text, length };
  return { text: Buffer.from(text.slice(0, keptCharacters)).toString('utf8'), length };
}

/** A path is truncated to the length that a refusal quotes. */
export function keepPart(exchange: Exchange | undefined, part: KeptPart): void {
  if (exchange === undefined || exchange.parts.length >= keptParts) return;
  exchange.parts.push(part);
}
