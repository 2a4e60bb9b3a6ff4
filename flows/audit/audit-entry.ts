/** An entry as the platform gives it (spec §2.10); fields that are not known are kept. */
export interface AuditEntry {
  readonly eventId: string;
  readonly eventTimestamp: string;
  readonly [field: string]: unknown;
}

/** When it happened, in milliseconds since the epoch; 0 where the platform's time cannot be read. */
export function timeOf({ eventTimestamp }: AuditEntry): number {
  const time = Date.parse(eventTimestamp);
  return Number.isNaN(time) ? 0 : time;
}
