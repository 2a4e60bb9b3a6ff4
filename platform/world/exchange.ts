import type { LoggedRequest } from './request-log.ts';

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
