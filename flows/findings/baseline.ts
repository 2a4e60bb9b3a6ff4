import { Failure } from '../../lib/core/errors/failure.ts';
import { isWorseCount } from '../../lib/pipelines/rules/quality-rules.ts';
import type { Finding } from '../../lib/core/outcomes/finding.ts';

/**
 * An entry of a baseline: what identifies a finding, without position and message. An entry of a rule with a limit
 * has no count if an older version of Millrace recorded it; the finding is then known at every count.
 */
export type BaselineEntry = Pick<
  Finding,
  'rule' | 'file' | 'component' | 'subject' | 'count' | 'fingerprint'
>;

/** The commands that have a baseline of their own. */
export type BaselineOwner = 'review' | 'compile';

/** In version 2 of the baseline of `compile`, findings about a column name the table, too. */
const versions: Readonly<Record<BaselineOwner, number>> = { review: 1, compile: 2 };

/** The default path of a command's baseline, relative to the project. */
export function baselinePath(configDir: string, owner: BaselineOwner = 'review'): string {
  return `${configDir}/${owner}-baseline.json`;
}

/**
 * Renders a baseline as JSON, sorted, with one finding per line. Each line is complete (its comma comes first), so
 * that git can merge two baselines line by line.
 */
export function writeBaseline(entries: Iterable<BaselineEntry>, owner: BaselineOwner = 'review'): string {
  const lines = Array.from(entries, ({ file, rule, component, subject, count, fingerprint }) =>
    // `JSON.stringify` omits undefined fields.
    JSON.stringify({ file, rule, component, subject, count, fingerprint }),
  );
  const sorted = [...new Set(lines)].toSorted();
  const header = { baseline: `millrace ${owner}`, version: versions[owner] };
  return [`[${JSON.stringify(header)}`, ...sorted.map((line) => `,${line}`), ']', ''].join('\n');
}

/**
 * Parses a baseline line by line, so that duplicate or unsorted lines after a merge are accepted.
 * Throws Failure 'config-invalid' at the first line that is not a finding, such as a conflict marker, and for a baseline of another version.
 */
export function readBaseline(
  text: string,
  file: string,
  owner: BaselineOwner = 'review',
): readonly BaselineEntry[] {
  const entries = new Map<string, BaselineEntry>();
  for (const [index, written] of text.split('\n').entries()) {
    const line = written.trim().replace(/^[[,]/, '').replace(/,$/, '').trim();
    if (line === '' || line === ']') continue;
    const value = parse(line);
    const version = versionIn(value);
    if (version === versions[owner]) continue;
    if (version !== undefined) throw otherVersion(version, { file, line: index + 1, column: 1 }, owner);
    if (!isEntry(value)) {
      throw new Failure('config-invalid', {
        message: `This line of the ${owner} baseline is not a finding.`,
        where: { file, line: index + 1, column: 1 },
        hint: `If the file has a merge conflict, keep the lines of both sides. Otherwise delete the file, and record it again with \`millrace ${owner} --update-baseline\`.`,
      });
    }
    entries.set(value.fingerprint, stricter(value, entries.get(value.fingerprint)));
  }
  return [...entries.values()];
}

/** The stricter of two entries: after a merge, two lines may describe one finding. */
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

/** The version of a header; undefined if it is none. */
function versionIn(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('baseline' in value) || !('version' in value))
    return undefined;
  return typeof value.version === 'number' ? value.version : undefined;
}

function otherVersion(
  version: number,
  where: { readonly file: string; readonly line: number; readonly column: number },
  owner: BaselineOwner,
): Failure {
  const own = versions[owner];
  const why =
    version < own
      ? 'An older Millrace recorded it, which did not tell columns of different tables apart'
      : 'A newer Millrace recorded it';
  return new Failure('config-invalid', {
    message: `The ${owner} baseline has version ${version} of its format, and this Millrace reads version ${own}. ${why}.`,
    where,
    hint:
      version < own
        ? `Delete the file, look at what \`millrace ${owner}\` finds, and record it again with \`millrace ${owner} --update-baseline\`.`
        : 'Update Millrace.',
  });
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
