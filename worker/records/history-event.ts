/** One event in the history of a lane or a promotion. */
export interface HistoryEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly what: string;
  /** JSON or plain text. */
  readonly data: string;
}

/** Describes an event for people. `intend-promote` is recorded before an external call is sent. */
export function describeEvent(what: string): string {
  const intended = /^intend-(.+)$/u.exec(what)?.[1];
  return intended === undefined ? what.replaceAll('-', ' ') : `about to ${intended.replaceAll('-', ' ')}`;
}

/** Names of facts whose words are others than their own. */
const factNames: ReadonlyMap<string, string> = new Map([
  ['executionId', 'execution'],
  ['githubId', 'GitHub account'],
  ['finishedAt', 'ended'],
  ['startedAt', 'started'],
  ['inFreeze', 'during a freeze'],
  ['readBacks', 'read back'],
  ['alsoDisabled', 'also disabled'],
]);

/** The name of a fact for people: `executionId` becomes "execution". */
export function describeFact(name: string): string {
  return (
    factNames.get(name) ??
    name.replaceAll(/([a-z])([A-Z])/gu, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
  );
}

/** The fields of a JSON object in an event; undefined for other data. Times are ISO 8601. */
export function factsIn(data: string): readonly (readonly [string, string])[] | undefined {
  const value = objectIn(data);
  return (
    value &&
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' ? member : JSON.stringify(member),
    ])
  );
}

/** The data of an event for readers outside the worker, with times in ISO 8601. */
export function formatEventData(data: string): string {
  const value = objectIn(data);
  return value === undefined ? data : JSON.stringify(value);
}

/** Fields stored as milliseconds since the epoch. */
const timeNames: ReadonlySet<string> = new Set(['at', 'since']);

function objectIn(data: string): Readonly<Record<string, unknown>> | undefined {
  if (!data.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(data, (name, member: unknown) =>
      timeNames.has(name) && typeof member === 'number' ? new Date(member).toISOString() : member,
    );
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
