import type { AuditEntry } from './audit-entry.ts';

/** The columns of the CSV, in the order of spec §2.10. */
export const auditColumns = [
  'eventId',
  'eventName',
  'eventType',
  'eventDescription',
  'eventTimestamp',
  'eventProjectId',
  'eventSource',
  'eventSubjectId',
  'eventSubjectName',
  'eventSubjectType',
  'actorId',
  'actorEmail',
  'additionalInfo',
] as const;

/**
 * Renders an entry as one row of CSV (RFC 4180), without the line break. A text that a spreadsheet would run as a
 * formula gets a leading apostrophe, because names in an audit log come from other people.
 */
export function csvRow(entry: AuditEntry): string {
  return auditColumns.map((name) => cell(entry[name])).join(',');
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const escaped = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
