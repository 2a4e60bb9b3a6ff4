import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import parse from 'semver/functions/parse.js';
import type SemVer from 'semver/classes/semver.js';
import satisfies from 'semver/functions/satisfies.js';
import type { VersionRule } from '../../lib/config/project/versions-schema.ts';

/** How one version relates to another. `unknown`: it is not known which is newer. */
export type VersionOrder = 'newer' | 'older' | 'unknown';

/** How one commit relates to another, and their times in milliseconds since the epoch. */
export interface VersionTimes {
  /** `ahead`: the commit is a descendant of the other commit. */
  readonly relation: 'identical' | 'ahead' | 'behind' | 'diverged' | 'unrelated';
  readonly committedAt: readonly [version: number | undefined, other: number | undefined];
  /** Of annotated tags; a lightweight tag has no time. */
  readonly taggedAt: readonly [version: number | undefined, other: number | undefined];
}

/**
 * `v1.2`, `1.2.0-rc.1`, `finance/v1.2.3+7`, `release-1.2.3`, `ledger@1.2.3`: a number alone does not count, because it may
 * be a date or a commit. The first group is a word before the version.
 */
const namePattern =
  /^(?:.*\/)?((?:[A-Za-z]\w*[-@])*)[vV]?(\d+)\.(\d+)(?:\.(\d+))?((?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)$/u;

/** The word before the version in a name: names with different words belong to different series. */
function prefixOf(name: string): string | undefined {
  return namePattern.exec(name)?.[1];
}

/** The semantic version in a name; undefined if there is none. A missing patch number is 0, leading zeros do not count. */
function semanticVersion(name: string): SemVer | undefined {
  const [, , major, minor, patch = '0', rest = ''] = namePattern.exec(name) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  return parse(`${[major, minor, patch].map(Number).join('.')}${rest}`) ?? undefined;
}

/**
 * Compares like a semantic version, but with numbers inside the words of a pre-release as numbers: `rc10` is newer than
 * `rc9`, which semantic versions compare as texts. Negative, 0 or positive.
 */
function compareNaturally(a: SemVer, b: SemVer): number {
  const core = a.compareMain(b);
  if (core !== 0 || a.prerelease.length === 0 || b.prerelease.length === 0) return core || a.compare(b);
  const [parts, others] = [partsOf(a), partsOf(b)];
  for (const [i, part] of parts.entries()) {
    const other = others[i];
    if (other === undefined) break;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return parts.length - others.length;
}

/** The numbers and the words between them, as texts: `rc10.1` is `rc`, `10`, `1`. */
function partsOf({ prerelease }: SemVer): string[] {
  return prerelease.flatMap((part) => String(part).match(/\d+|\D+/gu) ?? []);
}

/** A number comes before a word, as in semantic versions. */
function compareParts(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d/u.test(a), /^\d/u.test(b)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  // A number may have more digits than a number of JavaScript can hold.
  const [left, right] = isNumber ? [a.replace(/^0+(?=\d)/u, ''), b.replace(/^0+(?=\d)/u, '')] : [a, b];
  if (isNumber && left.length !== right.length) return left.length - right.length;
  return compareTexts(left, right);
}

/**
 * Compares two versions by name: as semantic versions, if both are and the lane does not order by time. Numbers
 * inside pre-release words are compared as numbers, unless the lane requires semantic versions. A release is newer
 * than its pre-releases. There is no order for equal versions, nor for names with different words before the
 * version, such as `release-1.2` and `hotfix-1.1`.
 */
export function orderByName(version: string, other: string, rule: Pick<VersionRule, 'order'>): VersionOrder {
  if (rule.order === 'time') return 'unknown';
  const [a, b] = [semanticVersion(version), semanticVersion(other)];
  if (a === undefined || b === undefined || prefixOf(version) !== prefixOf(other)) return 'unknown';
  return orderOf(rule.order === 'semantic' ? a.compare(b) : compareNaturally(a, b));
}

const byNumbers = new Intl.Collator('en', { numeric: true });

/**
 * Compares two version names for a sorted list, as `sort` needs it: negative, 0 or positive. Names that are not semantic
 * versions come first, in the order of their text. Semantic versions follow, the oldest first.
 */
export function sortNames(a: string, b: string): number {
  const [left, right] = [semanticVersion(a), semanticVersion(b)];
  if (left !== undefined && right !== undefined)
    return compareNaturally(left, right) || byNumbers.compare(a, b);
  if (left === undefined && right === undefined) return byNumbers.compare(a, b);
  return left === undefined ? -1 : 1;
}

/**
 * Compares two versions by their commits: a descendant is newer. If neither commit descends from the other, the one with
 * the later time is newer. For the same commit, or the same second, the later tag decides.
 */
export function orderByTime({ relation, committedAt, taggedAt }: VersionTimes): VersionOrder {
  if (relation === 'ahead') return 'newer';
  if (relation === 'behind') return 'older';
  const byCommit = relation === 'identical' ? 'unknown' : orderOfTimes(committedAt);
  return byCommit === 'unknown' ? orderOfTimes(taggedAt) : byCommit;
}

/** The reason why a lane never promotes a version; undefined if it may. */
export function versionDenial(version: string, rule: VersionRule): string | undefined {
  const semantic = semanticVersion(version);
  const needed = rule.order === 'semantic' || rule.allow !== undefined;
  if (semantic === undefined)
    return needed
      ? `${version} is not a semantic version such as 1.4.0, which the lane's \`versions\` require`
      : undefined;
  if (!rule.prereleases && semantic.prerelease.length > 0)
    return `${version} is a pre-release, which the lane does not promote (\`versions.prereleases\`)`;
  if (rule.allow !== undefined && !satisfies(semantic, rule.allow, { includePrerelease: true }))
    return `${version} is not in the range ${rule.allow} of the lane (\`versions.allow\`)`;
  return undefined;
}

function orderOfTimes([a, b]: readonly [number | undefined, number | undefined]): VersionOrder {
  return a === undefined || b === undefined ? 'unknown' : orderOf(a - b);
}

function orderOf(difference: number): VersionOrder {
  if (difference === 0) return 'unknown';
  return difference > 0 ? 'newer' : 'older';
}
