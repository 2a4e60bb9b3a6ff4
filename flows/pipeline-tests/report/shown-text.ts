import { shorten } from '../../../lib/core/text/shorten.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { isList } from '../../../lib/core/values/is-list.ts';
import { codePointEscape, invisibleCharacter, visibleText } from '../../../lib/core/text/visible-text.ts';
import { isExactNumber } from '../compare/exact-number.ts';
import type { Shown } from '../compare/test-result.ts';

/** A number of 38 digits fits, with its sign, its point and quotes. */
const maxText = 44;
/** Longer texts that differ show only what is around their first difference. */
const maxWhole = 40;
/** How many characters are shown before the first difference; after it, twice as many. */
const around = 12;

/**
 * A value on one line. Null has no quotes; a text has quotes if it could be mistaken for something else or has
 * invisible characters.
 */
export function shownText(value: Shown): string {
  const text = typeof value === 'string' && isPlain(value) ? value : jsonText(value);
  return shorten(text, maxText);
}

/**
 * The texts of two values that a reader compares. Different values never look the same: long ones are cut around
 * their first difference, and characters that only look alike become escapes.
 */
export function comparedTexts(values: readonly Shown[]): readonly string[] {
  if (isLongPair(values)) return textsApart(values);
  const texts = values.map(shownText);
  const alike = Map.groupBy(texts.keys(), (index) => roughLook(texts[index] ?? ''));
  for (const indices of alike.values()) {
    const group = indices.map((index) => values[index] ?? null);
    if (new Set(group.map(jsonText)).size === 1) continue;
    const apart = textsApart(group);
    for (const [place, index] of indices.entries()) texts[index] = apart[place] ?? '';
  }
  return texts;
}

/** Two texts, of which a reader looks for the difference. */
function isLongPair(values: readonly Shown[]): boolean {
  const isLong = values.some((value) => typeof value === 'string' && value.length > maxWhole);
  const [first, second, third] = values;
  return (
    isLong &&
    third === undefined &&
    typeof first === 'string' &&
    typeof second === 'string' &&
    first !== second
  );
}

/** Whether two values are the same and have the same type: the number 1 is not the text "1". */
export function isSame(a: Shown, b: Shown): boolean {
  return jsonText(a) === jsonText(b);
}

/** Texts of values that look alike, in the shortest form that tells all of them apart. */
function textsApart(values: readonly Shown[]): readonly string[] {
  const whole = values.map((value) => (typeof value === 'string' ? value : jsonText(value)));
  const start = firstDifference(whole);
  const part = whole.every((text) => text.length <= maxWhole)
    ? (text: string) => [0, text.length] as const
    : (text: string) => [Math.max(0, start - around), Math.min(text.length, start + 2 * around)] as const;
  const forms = [
    (index: number) => partOf(values[index] ?? null, part(whole[index] ?? '')),
    (index: number) => inAscii(partOf(values[index] ?? null, part(whole[index] ?? ''))),
    (index: number) => inAscii(jsonText(values[index] ?? null)),
  ];
  const different = new Set(values.map(jsonText)).size;
  const texts = forms.map((form) => values.map((_, index) => form(index)));
  return texts.find((all) => new Set(all.map(look)).size === different) ?? texts.at(-1) ?? [];
}

function firstDifference([first = '', ...others]: readonly string[]): number {
  let index = 0;
  while (index < first.length && others.every((text) => text[index] === first[index])) index += 1;
  return index;
}

/** A part of a value, with an ellipsis where it is cut; no half of a character. */
function partOf(value: Shown, [from, to]: readonly [number, number]): string {
  const whole = typeof value === 'string' ? value : jsonText(value);
  const text = withoutHalf(whole.slice(from, to));
  return `${from > 0 ? '…' : ''}${typeof value === 'string' ? jsonText(text) : text}${to < whole.length ? '…' : ''}`;
}

function withoutHalf(text: string): string {
  return text.replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

/** What a reader sees of a text. */
function look(text: string): string {
  return text.normalize('NFKC').replaceAll(new RegExp(invisibleCharacter, 'gu'), '');
}

/** The same at a quick look: blanks and quotation marks do not tell two texts apart. */
function roughLook(text: string): string {
  const plain = text.replaceAll(/\\(?:[nrtbf]|u\{?[\da-f]+\}?)|[\s\p{Zs}]+/giu, ' ');
  return look(plain)
    .replaceAll(/ +/g, ' ')
    .replaceAll(/^[" ]+|[" ]+$/g, '');
}

/** JSON on one line, without invisible characters; numbers have all their digits. */
function jsonText(value: Shown): string {
  if (isExactNumber(value)) return value.exactNumber;
  if (typeof value === 'string') return visibleText(JSON.stringify(value));
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => compareTexts(a, b));
  return `{${members.map(([key, item]) => `${jsonText(key)}:${jsonText(item)}`).join(',')}}`;
}

/** Whether a text is clear without quotes: it is not a number or another value, and has no part that cannot be seen. */
function isPlain(text: string): boolean {
  const looksLikeOther = /^(?:[-+]?[\d.]+(?:e[-+]?\d+)?|true|false|null|json null|)$/i.test(text);
  return !looksLikeOther && !/^[ "]| $| {2}|→/.test(text) && !invisibleCharacter.test(text);
}

function inAscii(text: string): string {
  return text.replaceAll(/[^ -~…]/gu, codePointEscape);
}
