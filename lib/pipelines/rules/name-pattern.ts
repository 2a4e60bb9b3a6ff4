import type { Refusal } from './rule.ts';

/** Whether the whole name matches. */
export type NameMatcher = (name: string) => boolean;

/** Characters; far above any real pattern. */
const lengthLimit = 1000;
/** Steps of the compiled pattern: each character of a name costs at most that many. `.{1,255}` has some 500. */
const stepLimit = 4000;

/**
 * Compiles a pattern of a rules file in RE2's dialect, for an engine whose time grows with the name's length and no
 * faster: the pattern comes from the repository, and one that backtracks could be made to explode. What such an engine
 * cannot do (looking around, repeating what a group captured) is refused as `designer/invalid-regex-pattern`.
 *
 * The engine is loaded here, so that only a rules file with a pattern pays for it.
 */
export async function namePattern(pattern: string): Promise<NameMatcher | Refusal> {
  if (pattern.length > lengthLimit) return refusal(pattern, `has more than ${lengthLimit} characters`);
  const { RE2JS } = await import('re2js');
  try {
    const compiled = RE2JS.compile(inDialect(pattern));
    if (compiled.programSize() > stepLimit) return refusal(pattern, 'repeats too much to be matched quickly');
    return (name) => compiled.testExact(name);
  } catch (error) {
    return refusal(pattern, `cannot be read as a pattern: ${reasonOf(error)}`);
  }
}

/** `\u00e9`, as many dialects write it, is `\x{00e9}` here. */
function inDialect(pattern: string): string {
  return pattern.replaceAll(/\\(?:u([0-9a-fA-F]{4})|[^])/g, (part, code: string | undefined) =>
    code === undefined ? part : `\\x{${code}}`,
  );
}

/** `error parsing regexp: missing closing ): …` to the words in the middle. */
function reasonOf(error: unknown): string {
  const [, reason] = /^error parsing regexp: ([^:]+)/.exec(error instanceof Error ? error.message : '') ?? [];
  return reason === 'invalid or unsupported Perl syntax'
    ? 'it looks around, or uses another form that has no bounded time'
    : (reason ?? 'its form is not known');
}

function refusal(pattern: string, what: string): Refusal {
  return { type: 'designer/invalid-regex-pattern', reason: `${shorten(pattern)} ${what}` };
}

function shorten(pattern: string): string {
  return pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
}
