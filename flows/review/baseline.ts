import { Failure } from '../../lib/core/failure.ts';
import { isWorseCount } from '../../lib/pipelines/rules/quality-rules.ts';
import type { Finding } from '../../lib/core/finding.ts';

/**
 * What a baseline remembers of a finding: what it is, and neither where it stands nor how it was worded. An entry of a
 * rule about a number has no count where an older version recorded it; then any count is known.
 */
export type BaselineEntry = Pick<
  Finding,
  'rule' | 'file' | 'component' | 'subject' | 'count' | 'fingerprint'
>;

/** Where the baseline stands in a project that does not say otherwise. */
export function baselinePath(configDir: string): string {
  return `${configDir}/review-baseline.json`;
}

const header = { baseline: 'millrace review', version: 1 };

/**
 * A baseline as a file: JSON, sorted, one finding per line and each line whole in itself (the comma stands before
 * it), so that git merges two of them as it merges two lists.
 */
export function writeBaseline(entries: Iterable<BaselineEntry>): string {
  const lines = Array.from(entries, ({ file, rule, component, subject, count, fingerprint }) =>
    // What is undefined is left out.
    JSON.stringify({ file, rule, component, subject, count, fingerprint }),
  );
  const sorted = [...new Set(lines)].toSorted();
  return [`[${JSON.stringify(header)}`, ...sorted.map((line) => `,${line}`), ']', ''].join('\n');
}

/**
 * Reads a baseline line by line: what a merge doubled or left unsorted does no harm. Failure 'config-invalid' at
 * the first line that is no finding, such as the marks of an unresolved conflict.
 */
export function readBaseline(text: string, file: string): readonly BaselineEntry[] {
  const entries = new Map<string, BaselineEntry>();
  for (const [index, written] of text.split('\n').entries()) {
    const line = written.trim().replace(/^[[,]/, '').replace(/,$/, '').trim();
    if (line === '' || line === ']') continue;
    const value = parse(line);
    if (isHeader(value)) continue;
    if (!isEntry(value)) {
      throw new Failure('config-invalid', {
        message: 'This line of the review baseline is no finding.',
        where: { file, line: index + 1, column: 1 },
        hint: 'Resolve the conflict if there is one (keep the lines of both sides), or remove the file and record it anew with `millrace review --update-baseline`.',
      });
    }
    entries.set(value.fingerprint, stricter(value, entries.get(value.fingerprint)));
  }
  return [...entries.values()];
}

/** Of two lines about one finding, which a merge left, the one that lets less through. */
function stricter(entry: BaselineEntry, other: BaselineEntry | undefined): BaselineEntry {
  if (other?.count === undefined) return entry;
  return entry.count === undefined || isWorseCount(entry.rule, entry.count, other.count) ? other : entry;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'baseline' in value &&
    'version' in value &&
    value.version === 1
  );
}

function isEntry(value: unknown): value is BaselineEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { rule, file, component, subject, count, fingerprint } = value as Record<string, unknown>;
  return (
    [rule, file, fingerprint].every((field) => typeof field === 'string') &&
    [component, subject].every((field) => field === undefined || typeof field === 'string') &&
    (count === undefined || (typeof count === 'number' && Number.isFinite(count)))
  );
}
