import { refuse } from './expression-error.ts';

/** White space of JavaScript; RE2's `\s` has only the white space of ASCII, without the vertical tab. */
const spaces = String.raw`\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const lineEnds = String.raw`\n\r\x{2028}\x{2029}`;

/** Parts of a pattern: an escape, what follows `(?`, or one character. */
const part = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])|\(\?(?::|<[\p{L}_][\p{L}\p{N}_]*>)?|[^]/gu;

/** Writes a pattern of JavaScript for RE2, and refuses what RE2 lacks or reads in another way. */
export function translatePattern(source: string, dotIsAll: boolean, offset: number): string {
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
