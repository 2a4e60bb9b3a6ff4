/** An entry of a history. */
export interface HistoryEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly what: string;
  /** JSON or plain text. */
  readonly data: string;
}

/** What happened, for people. `intend-promote` is the write-ahead record of an outside call. */
export function describeEvent(what: string): string {
  const intended = /^intend-(.+)$/u.exec(what)?.[1];
  return intended === undefined ? what.replaceAll('-', ' ') : `about to ${intended.replaceAll('-', ' ')}`;
}

/** The members of a JSON object; undefined where it is none. Times are ISO 8601. */
export function factsIn(data: string): readonly (readonly [string, string])[] | undefined {
  const value = objectIn(data);
  return (
    value &&
    Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)])
  );
}

/** The data of an entry for whoever reads it outside: the times in it are ISO 8601, as everywhere else. */
export function formatEventData(data: string): string {
  const value = objectIn(data);
  return value === undefined ? data : JSON.stringify(value);
}

/** What we write down as milliseconds since the epoch. */
const timeNames: ReadonlySet<string> = new Set(['at', 'since']);

function objectIn(data: string): Readonly<Record<string, unknown>> | undefined {
  if (!data.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(data, (name, one: unknown) =>
      timeNames.has(name) && typeof one === 'number' ? new Date(one).toISOString() : one,
    );
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
