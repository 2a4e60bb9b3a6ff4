import type { WireFault } from '../faults/fault-schema.ts';

/**
 * What became of a request: `open` has no answer yet, `answered` got the platform's own answer (a refusal is one too),
 * `fault` got the answer of a fault rule, `rate-limited` a 429, `hung-up` did not wait for its answer; all others are
 * what a fault did to the connection.
 */
export type Fate = 'open' | 'answered' | 'fault' | 'rate-limited' | 'hung-up' | WireFault;

export interface LoggedRequest {
  readonly requestId: string;
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly project: string | null;
  /** As it was sent, or would have been without a fault on the wire; null where there was none. */
  status: number | null;
  fate: Fate;
}

/** A body as far as it is kept. */
export interface KeptBody {
  readonly text: string;
  /** Characters that there were; more than `text` holds where it was cut. */
  readonly length: number;
}

/** One file of an upload. */
export interface KeptPart {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * A request with what went over the wire, for the inspector. As it came, with its secrets: it is masked where it is
 * shown, which is seldom, and not for each request.
 */
export interface Exchange {
  readonly entry: LoggedRequest;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  body: KeptBody | undefined;
  /** The first files of an upload. */
  readonly parts: KeptPart[];
  answer: KeptBody | undefined;
}

export const keptCharacters = 8192;
export const keptParts = 200;

/** The beginning of a body, copied where it is cut: a slice would hold on to the whole. */
export function keepBody(text: string): KeptBody {
  const { length } = text;
  if (length <= keptCharacters) return { text, length };
  return { text: Buffer.from(text.slice(0, keptCharacters)).toString('utf8'), length };
}

/** A path is at most as long as a refused one is quoted. */
export function keepPart(exchange: Exchange | undefined, part: KeptPart): void {
  if (exchange === undefined || exchange.parts.length >= keptParts) return;
  exchange.parts.push(part);
}
