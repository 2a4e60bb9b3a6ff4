import type { Position } from './messages.ts';

/** A position as SQL and the server's messages write it: `16/B374D848`. */
export function positionText(position: Position): string {
  return `${(position >> 32n).toString(16).toUpperCase()}/${(position & 0xff_ff_ff_ffn).toString(16).toUpperCase()}`;
}

/** Parses a position. Throws for a text that is not a position. */
export function positionOf(text: string): Position {
  const [, high, low] = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new Error(`not a position: ${text}`);
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
