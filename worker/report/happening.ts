/** An entry of a history. */
export interface Happening {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly what: string;
  /** JSON or plain text. */
  readonly data: string;
}

/** What happened, for people. `intend-promote` is the write-ahead record of an outside call. */
export function wordsFor(what: string): string {
  const intended = /^intend-(.+)$/u.exec(what)?.[1];
  return intended === undefined ? what.replaceAll('-', ' ') : `about to ${intended.replaceAll('-', ' ')}`;
}

/** The members of a JSON object; undefined where it is none. */
export function factsIn(data: string): readonly (readonly [string, string])[] | undefined {
  if (!data.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).map(([name, one]) => [
      name,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]);
  } catch {
    return undefined;
  }
}
