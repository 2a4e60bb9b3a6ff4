import type { Arguments } from './arguments.ts';
import { isPattern } from './arguments.ts';
import { type Datum, limitItems, limitText } from './datum.ts';
import { refuse } from './expression-error.ts';
import { limits } from './limits.ts';
import { expandReplacement } from './pattern.ts';

type Method = (text: string, values: Arguments) => Datum;

/** A method without values. */
function plain(method: (text: string) => Datum): Method {
  return (text, values) => {
    values.expect(0);
    return method(text);
  };
}

/** A method with a text to find, and optionally a position. */
function finding(method: (text: string, part: string, position: number | undefined) => Datum): Method {
  return (text, values) => {
    values.expect(1, 2);
    return method(text, values.text(0), values.optionalNumber(1));
  };
}

/** A method with one or two positions. */
function cutting(method: (text: string, start: number, end: number | undefined) => Datum): Method {
  return (text, values) => {
    values.expect(1, 2);
    return method(text, values.number(0), values.optionalNumber(1));
  };
}

function padding(method: (text: string, length: number, fill: string) => string): Method {
  return (text, values) => {
    values.expect(1, 2);
    const length = values.number(0);
    limitText(Number.isNaN(length) ? 0 : length, values.offset);
    return method(text, length, values.count > 1 ? values.text(1) : ' ');
  };
}

/** The methods of texts that an expression may call. */
export const textMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['toUpperCase', plain((text) => text.toUpperCase())],
  ['toLowerCase', plain((text) => text.toLowerCase())],
  ['trim', plain((text) => text.trim())],
  ['trimStart', plain((text) => text.trimStart())],
  ['trimEnd', plain((text) => text.trimEnd())],
  ['toString', plain((text) => text)],
  ['indexOf', finding((text, part, position) => text.indexOf(part, position))],
  ['lastIndexOf', finding((text, part, position) => text.lastIndexOf(part, position))],
  ['includes', finding((text, part, position) => text.includes(part, position))],
  ['startsWith', finding((text, part, position) => text.startsWith(part, position))],
  ['endsWith', finding((text, part, position) => text.endsWith(part, position))],
  ['substring', cutting((text, start, end) => text.substring(start, end))],
  ['slice', cutting((text, start, end) => text.slice(start, end))],
  ['substr', cutting((text, start, length) => substr(text, start, length))],
  ['charAt', cutting((text, index) => text.charAt(index))],
  ['charCodeAt', cutting((text, index) => text.charCodeAt(index))],
  ['at', cutting((text, index) => text.at(index))],
  ['padStart', padding((text, length, fill) => text.padStart(length, fill))],
  ['padEnd', padding((text, length, fill) => text.padEnd(length, fill))],
  ['repeat', repeat],
  ['concat', concat],
  ['split', split],
  ['replace', (text, values) => replace(text, values, false)],
  ['replaceAll', (text, values) => replace(text, values, true)],
]);

function substr(text: string, start: number, length: number | undefined): string {
  const whole = Math.trunc(start) || 0;
  const from = whole < 0 ? Math.max(text.length + whole, 0) : whole;
  return length === undefined
    ? text.slice(from)
    : text.slice(from, from + Math.max(Math.trunc(length) || 0, 0));
}

function repeat(text: string, values: Arguments): string {
  values.expect(1);
  const count = values.number(0);
  if (!(count >= 0)) refuse('a negative count', values.offset);
  limitText(text.length * count, values.offset);
  return text === '' ? '' : text.repeat(count);
}

function concat(text: string, values: Arguments): string {
  return values.data().reduce<string>((result, _, index) => {
    const next = values.text(index);
    limitText(result.length + next.length, values.offset);
    return result + next;
  }, text);
}

function split(text: string, values: Arguments): readonly string[] {
  values.expect(1);
  const parts = text.split(values.text(0), limits.items + 1);
  limitItems(parts.length, values.offset);
  return parts;
}

function replace(text: string, values: Arguments, all: boolean): string {
  values.expect(2);
  const what = values.at(0);
  const replacement = values.text(1);
  if (!isPattern(what)) return replaceText(text, values.text(0), { replacement, all, offset: values.offset });
  if (all && !what.isGlobal)
    refuse('`replaceAll` with a regular expression without the flag g', values.offset);
  return what.replace(text, replacement);
}

function replaceText(
  text: string,
  part: string,
  options: { readonly replacement: string; readonly all: boolean; readonly offset: number },
): string {
  const expanded = expandReplacement(options.replacement, [part], options.offset);
  const count = options.all ? countOf(text, part) : 1;
  limitText(text.length + count * Math.max(expanded.length - part.length, 0), options.offset);
  return options.all ? text.replaceAll(part, () => expanded) : text.replace(part, () => expanded);
}

function countOf(text: string, part: string): number {
  if (part === '') return text.length + 1;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}
