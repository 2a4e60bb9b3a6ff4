import { createContext, Script } from 'node:vm';
import type { Refusal } from './rule.ts';

/** Gives the names that do not match as a whole, or says that the pattern takes too long. */
export type NameMatcher = (names: readonly string[]) => ReadonlySet<string> | Refusal;

/** Milliseconds that a pattern may take in all, runs too short to matter left out. */
const timeLimit = 1500;
/** Milliseconds of work that a harmless pattern may need for the names of one file, a collection of garbage included. */
const negligible = 5;
/** Characters of a name up to which a harmless pattern is matched without a watch. */
const shortName = 200;
/** Characters. The engine's compiler ends the whole process on deeply nested patterns of tens of thousands. */
const lengthLimit = 1000;

/**
 * Compiles a pattern of a rules file. It is read as Unicode-aware, a leading `(?i)` ignores case, and a backslash
 * before a mark that needs none is allowed: such files are written with other dialects in mind.
 *
 * The pattern comes from the repository, so it may explode on some name. It has a length limit, and matching has a
 * time limit for all files together. A pattern that reaches one is refused as `designer/invalid-regex-pattern`, for
 * the files that follow too.
 */
export function namePattern(pattern: string): NameMatcher | Refusal {
  const expression = compile(pattern);
  if (expression === undefined) return refusal(`${shorten(pattern)} cannot be read as a pattern`);
  const watched = matchInTime(expression);
  const harmless = isHarmless(pattern);
  const match = (names: readonly string[]) =>
    harmless && names.every(({ length }) => length <= shortName)
      ? names.map((name) => expression.test(name))
      : watched(names);
  const known = new Map<string, boolean>();
  let refused: Refusal | undefined;
  return (names) => {
    const unknown = names.filter((name) => !known.has(name));
    if (refused === undefined && unknown.length > 0) {
      const results = match(unknown);
      if (results === undefined) refused = refusal(`${shorten(pattern)} takes too long to match`);
      else for (const [index, name] of unknown.entries()) known.set(name, results[index] === true);
    }
    return refused ?? new Set(names.filter((name) => known.get(name) !== true));
  };
}

/**
 * Whether a pattern cannot explode: characters and classes in a row, at most two of them repeated or optional. Its
 * work grows at most with the square of a name. Ten thousand files under a watch would use up the time limit by the
 * watch alone.
 */
function isHarmless(pattern: string): boolean {
  const parts = /^\^?((?:(?:\[(?:\\.|[^\]\\])+\]|\\[dDsSwW]|[^\\[\](){}|*+?^$])[*+?]?)*)\$?$/su.exec(
    pattern,
  )?.[1];
  if (parts === undefined) return false;
  return parts.replaceAll(/\[(?:\\.|[^\]\\])+\]/gsu, 'x').replaceAll(/[^*+?]/gu, '').length <= 2;
}

function compile(pattern: string): RegExp | undefined {
  if (pattern.length > lengthLimit) return undefined;
  const { source, flags } = translate(pattern);
  try {
    // Compiled by itself first: `a)(b` is no pattern, although it would be one inside the group below.
    RegExp(source, flags);
    return new RegExp(`^(?:${source})$`, flags);
  } catch {
    return undefined;
  }
}

function translate(pattern: string): { source: string; flags: string } {
  const ignoreCase = pattern.startsWith('(?i)');
  const rest = ignoreCase ? pattern.slice('(?i)'.length) : pattern;
  let inClass = false;
  const source = rest.replaceAll(/\\[^]|[[\]]/g, (part) => {
    if (part === '[') inClass = true;
    if (part === ']') inClass = false;
    const mark = part.charAt(1);
    const needed = /[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(mark) || (inClass && mark === '-');
    return mark === '' || needed ? part : mark;
  });
  return { source, flags: ignoreCase ? 'iu' : 'u' };
}

/** Only a script can be stopped while a pattern is at work. Starting one costs a fraction of reading a file. */
function matchInTime(expression: RegExp): (names: readonly string[]) => readonly boolean[] | undefined {
  const context = createContext({ expression, names: [] as readonly string[] });
  const script = new Script('names.map((name) => expression.test(name))');
  let left = timeLimit;
  return (names) => {
    context['names'] = names;
    // Work, not time: on a busy machine a harmless pattern waits long for its turn.
    const before = process.threadCpuUsage();
    try {
      const results: unknown = script.runInContext(context, { timeout: Math.max(Math.ceil(left), 1) });
      const { user, system } = process.threadCpuUsage(before);
      left -= Math.max((user + system) / 1000 - negligible, 0);
      // The array is of the script's world, where it has another class.
      return Array.isArray(results) ? results.map((result) => result === true) : undefined;
    } catch {
      return undefined;
    }
  };
}

function refusal(reason: string): Refusal {
  return { type: 'designer/invalid-regex-pattern', reason };
}

function shorten(pattern: string): string {
  return pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
}
