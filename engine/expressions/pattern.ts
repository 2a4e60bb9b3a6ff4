import { RE2JS } from 're2js';
import { limitText } from './datum.ts';
import { refuse } from './expression-error.ts';
import { limits } from './limits.ts';

/**
 * A compiled regular expression. The time that it needs to match a text grows only linearly with the length of the
 * text.
 */
export interface Pattern {
  readonly isGlobal: boolean;
  replace(text: string, replacement: string): string;
}

/**
 * Compiles a regular expression `/source/flags`. Throws ExpressionError for syntax that the library for regular
 * expressions interprets differently from JavaScript.
 */
export function compilePattern(source: string, flags: string, offset: number): Pattern {
  const unknown = /[^gisu]/.exec(flags)?.[0] ?? /(.).*\1/.exec(flags)?.[1];
  if (unknown !== undefined) refuse(`the flag ${unknown} of a regular expression`, offset);
  const compiled = compile(
    translatePattern(source, flags.includes('s'), offset),
    flags.includes('i'),
    offset,
  );
  const isGlobal = flags.includes('g');
  const readsHalves = !flags.includes('u') && mayMatchHalves(source);
  return {
    isGlobal,
    replace(text, replacement) {
      if (compiled.programSize() * text.length > limits.patternWork)
        refuse('this regular expression on a text of this length, because it would take too long', offset);
      if (readsHalves && pairs.test(text))
        refuse('this regular expression on a text with characters such as emoji, without the flag u', offset);
      return replaceMatches(compiled, text, { replacement, isGlobal, offset });
    },
  };
}

const pairs = /[\ud800-\udbff][\udc00-\udfff]/;

/** Whether a pattern without the flag `u` may match one of the two units of JavaScript that a character beyond U+FFFF has. */
function mayMatchHalves(source: string): boolean {
  return /\.|\[\^|\\[DSW]|\\u[dD][89a-fA-F]/.test(source.replaceAll('\\.', '')) || pairs.test(source);
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
  options: { readonly replacement: string; readonly isGlobal: boolean; readonly offset: number },
): string {
  const matcher = compiled.matcher(text);
  let result = '';
  let last = 0;
  while (matcher.find()) {
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? '');
    const [start, end] = [matcher.start(), matcher.end()];
    result += text.slice(last, start) + expandReplacement(options.replacement, groups, options.offset);
    limitText(result.length, options.offset);
    last = end;
    if (!options.isGlobal) break;
  }
  return result + text.slice(last);
}

/** Replaces `$1`, `$&` and `$$` in a replacement text as JavaScript does. `groups[0]` is the whole match. */
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

/** White space of JavaScript; RE2's `\s` has only the white space of ASCII, without the vertical tab. */
const spaces = String.raw`\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const lineEnds = String.raw`\n\r\x{2028}\x{2029}`;

/** Parts of a pattern: an escape, what follows `(?`, or one character. */
const part = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])|\(\?(?::|<[\p{L}_][\p{L}\p{N}_]*>)?|[^]/gu;

/** Writes a pattern of JavaScript for RE2, and refuses what RE2 lacks or reads in another way. */
function translatePattern(source: string, dotIsAll: boolean, offset: number): string {
  let inClass = false;
  let result = '';
  for (const { 0: text, index } of source.matchAll(part)) {
    if (text.startsWith('\\')) result += translateEscape(text, inClass, offset);
    else if (text.startsWith('(?') && !inClass) {
      if (text !== '(?:') refuse('a named group or lookaround in a regular expression', offset);
      result += text;
    } else if (inClass) {
      inClass = text !== ']';
      result += text.replaceAll('[', String.raw`\[`);
    } else if (text === '[') {
      if (/^\[\^?\]/.test(source.slice(index))) refuse('an empty class in a regular expression', offset);
      inClass = true;
      result += text;
    } else result += text === '.' ? dot(dotIsAll) : text;
  }
  return result;
}

function dot(isAll: boolean): string {
  return isAll ? '(?s:.)' : `[^${lineEnds}]`;
}

function translateEscape(text: string, inClass: boolean, offset: number): string {
  const letter = text[1] ?? '';
  if (text.length > 2) return `\\x{${text.slice(2)}}`;
  if (letter === 's') return inClass ? spaces : `[${spaces}]`;
  if (letter === 'S' && !inClass) return `[^${spaces}]`;
  if (inClass ? /[dwDWntrfv]/.test(letter) : /[dwDWbBntrfv]/.test(letter)) return text;
  if (/[\p{L}\p{N}]/u.test(letter)) refuse(`\`${text}\` in a regular expression`, offset);
  return /[^\w\s]/.test(letter) && letter < '\u0080' ? text : letter;
}
