import { messageOf } from '../../core/errors/message-of.ts';
import { shorten } from '../../core/text/shorten.ts';
import type { Refusal } from './rule.ts';

/** Whether the whole name matches the pattern. */
export type NameMatcher = (name: string) => boolean;

/** Maximum length of a pattern in characters; far above any real pattern. */
const lengthLimit = 1000;
/** Steps of the compiled pattern: the maximum work for each character of a name. `.{1,255}` has about 500. */
const stepLimit = 4000;

/**
 * Compiles a pattern of a rules file in RE2's dialect, for an engine with linear time in the length of the name: the
 * pattern comes from the repository, and a backtracking engine could take exponential time. Features that such an
 * engine lacks (lookaround, backreferences) are refused as `designer/invalid-regex-pattern`.
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

/** Other dialects' `\u00e9` is `\x{00e9}` in RE2. */
function inDialect(pattern: string): string {
  return pattern.replaceAll(/\\(?:u([0-9a-fA-F]{4})|[^])/g, (part, code: string | undefined) =>
    code === undefined ? part : `\\x{${code}}`,
  );
}

/** The middle part of `error parsing regexp: missing closing ): …`. */
function reasonOf(error: unknown): string {
  const [, reason] = /^error parsing regexp: ([^:]+)/.exec(messageOf(error)) ?? [];
  return reason === 'invalid or unsupported Perl syntax'
    ? 'it uses lookaround, or another feature without bounded time'
    : (reason ?? 'its syntax is unknown');
}

function refusal(pattern: string, what: string): Refusal {
  return { type: 'designer/invalid-regex-pattern', reason: `${shorten(pattern, 80)} ${what}` };
}
