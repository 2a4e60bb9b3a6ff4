import type { Report } from './report.ts';

/** The report with masked secrets in all its texts, so that it can be sent to GitHub. */
export function withoutSecrets(report: Report, redact: (text: string) => string): Report {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]));
  };
  // Only texts were changed, so the shape is the same.
  return clean(report) as Report;
}
