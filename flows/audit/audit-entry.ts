/** An entry as the platform returns it (spec §2.10). Unknown fields are kept. */
export interface AuditEntry {
  readonly eventId: string;
  readonly eventTimestamp: string;
  readonly [field: string]: unknown;
}

/** The time of the entry in milliseconds since the epoch; 0 if it cannot be parsed. */
export function timeOf({ eventTimestamp }: AuditEntry): number {
  const time = Date.parse(eventTimestamp);
  return Number.isNaN(time) ? 0 : time;
}
