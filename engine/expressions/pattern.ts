import { RE2JS } from 're2js';
import { limitText } from './datum.ts';
import { refuse } from './expression-error.ts';
import { limits } from './limits.ts';
import { translatePattern } from './translate-pattern.ts';

/** A regular expression, in an engine whose time is linear in the length of the text. */
export interface Pattern {
  readonly isGlobal: boolean;
  replace(text: string, replacement: string): string;
}

/** Compiles `/source/flags`. What the engine reads differently from JavaScript is refused. */
export function compilePattern(source: string, flags: string, offset: number): Pattern {
  const unknown = /[^gisu]/.exec(flags)?.[0] ?? /(.).*\1/.exec(flags)?.[1];
  if (unknown !== undefined) refuse(`the flag ${unknown} of a regular expression`, offset);
  const compiled = compile(
    translatePattern(source, flags.includes('s'), offset),
    flags.includes('i'),
    offset,
  );
  const isGlobal = flags.includes('g');
  return {
    isGlobal,
    replace(text, replacement) {
      if (compiled.programSize() * text.length > limits.patternWork)
        refuse('this regular expression on a text of this length, because it would take too long', offset);
      return replaceMatches(compiled, text, { replacement, isGlobal, offset });
    },
  };
}

function compile(source: string, ignoresCase: boolean, offset: number): RE2JS {
  try {
    return RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch {
    return refuse('this regular expression', offset);
  }
}

function replaceMatches(
  compiled: RE2JS,
  text: string,
  given: { readonly replacement: string; readonly isGlobal: boolean; readonly offset: number },
): string {
  const matcher = compiled.matcher(text);
  let result = '';
  let last = 0;
  while (matcher.find()) {
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? '');
    const [start, end] = [matcher.start(), matcher.end()];
    result += text.slice(last, start) + expandReplacement(given.replacement, groups, given.offset);
    limitText(result.length, given.offset);
    last = end;
    if (!given.isGlobal) break;
  }
  return result + text.slice(last);
}

/** `$1`, `$&` and `$$` as in JavaScript; `groups[0]` is the whole match. */
export function expandReplacement(replacement: string, groups: readonly string[], offset: number): string {
  return replacement.replace(/\$(\$|&|`|'|<|\d\d?)/g, (written, what: string) => {
    if (what === '$') return '$';
    if (what === '&') return groups[0] ?? '';
    if (/^\d/.test(what)) return groupText(what, groups) ?? written;
    // Without named groups, `$<` is text.
    return what === '<' ? written : refuse(`\`${written}\` in a replacement`, offset);
  });
}

/** `$12` is group 12 if there is one, else group 1 and the digit 2. */
function groupText(digits: string, groups: readonly string[]): string | undefined {
  const whole = Number(digits);
  if (whole >= 1 && whole < groups.length) return groups[whole];
  const first = Number(digits[0]);
  return digits.length === 2 && first >= 1 && first < groups.length
    ? `${groups[first]}${digits[1]}`
    : undefined;
}
