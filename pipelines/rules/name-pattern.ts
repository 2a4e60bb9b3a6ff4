import { createContext, Script } from 'node:vm';
import type { Refusal } from './rule.ts';

/** Gives the names that do not match as a whole, or says that the pattern takes too long. */
export type NameMatcher = (names: readonly string[]) => ReadonlySet<string> | Refusal;

/** Milliseconds for the names of one file; a harmless pattern takes less than one. */
const timeLimit = 200;

/**
 * Compiles a pattern of a rules file. It is read as Unicode-aware, a leading `(?i)` ignores case, and a backslash
 * before a mark that needs none is allowed, as the platform's own rules are written for another dialect.
 *
 * The pattern comes from the repository, so it may explode on some name. Matching runs with a time limit; a pattern
 * that once reached it is refused as `designer/invalid-regex-pattern` for this and all later files.
 */
export function namePattern(pattern: string): NameMatcher | Refusal {
  const { source, flags } = translate(pattern);
  try {
    // Compiled by itself first: `a)(b` is no pattern, although it would be one inside the group below.
    RegExp(source, flags);
  } catch {
    return refusal(`${pattern} is no pattern that can be read`);
  }
  const match = matchInTime(new RegExp(`^(?:${source})$`, flags));
  const known = new Map<string, boolean>();
  let refused: Refusal | undefined;
  return (names) => {
    const unknown = names.filter((name) => !known.has(name));
    if (refused === undefined && unknown.length > 0) {
      const results = match(unknown);
      if (results === undefined) refused = refusal(`${pattern} takes too long on the names of a file`);
      else for (const [index, name] of unknown.entries()) known.set(name, results[index] === true);
    }
    return refused ?? new Set(names.filter((name) => known.get(name) !== true));
  };
}

function refusal(reason: string): Refusal {
  return { type: 'designer/invalid-regex-pattern', reason };
}

/** Only a script can be stopped while a pattern is at work; starting one costs about as much as reading a small file. */
function matchInTime(expression: RegExp): (names: readonly string[]) => readonly boolean[] | undefined {
  const harmless = isHarmless(expression.source);
  const context = harmless ? undefined : createContext({ expression, names: [] });
  const script = new Script('names.map((name) => expression.test(name))');
  return (names) => {
    if (context === undefined) return names.map((name) => expression.test(name));
    context['names'] = names;
    try {
      return script.runInContext(context, { timeout: timeLimit }) as readonly boolean[];
    } catch {
      return undefined;
    }
  };
}

/** One repetition at most, and nothing to choose from: such a pattern takes time in proportion to the name. */
function isHarmless(source: string): boolean {
  const inside = source.slice('^(?:'.length, -')$'.length);
  return !/[(|]|\\[1-9k]/.test(inside) && (inside.match(/[*+?{]/g) ?? []).length <= 1;
}

function translate(pattern: string): { source: string; flags: string } {
  const ignoreCase = pattern.startsWith('(?i)');
  const rest = ignoreCase ? pattern.slice('(?i)'.length) : pattern;
  let inClass = false;
  const source = rest.replace(/\\[^]|[[\]]/g, (part) => {
    if (part === '[') inClass = true;
    if (part === ']') inClass = false;
    if (part.length === 1) return part;
    const mark = part.charAt(1);
    const needless = /[^\w\s^$\\.*+?()[\]{}|/]/.test(mark) && !(inClass && mark === '-');
    return needless || mark === '_' ? mark : part;
  });
  return { source, flags: ignoreCase ? 'iu' : 'u' };
}
