import type { Report } from '../../lib/github/report.ts';

/** A report that may be sent to GitHub: no secret is in any of its texts, whoever put it there. */
export function withoutSecrets(report: Report, redact: (text: string) => string): Report {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]));
  };
  // The same shape as before: only texts were changed.
  return clean(report) as Report;
}
