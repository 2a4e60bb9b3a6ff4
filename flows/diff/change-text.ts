import { shownText } from '../test/row-lines.ts';
import type { Shown } from '../test/test-result.ts';

/** How many characters of a long text are shown before and after the first difference. */
const around = 12;
const maxText = 40;

/** `5 → 10`. Texts that would look equal show their blanks and their first difference. */
export function changeText(before: Shown, after: Shown): string {
  const [old, current] = [shownText(before), shownText(after)];
  if (typeof before !== 'string' || typeof after !== 'string') return `${old} → ${current}`;
  const isPlain =
    lookOf(before) !== lookOf(after) &&
    ![before, after].some((text) => text.includes('→') || text !== text.trim() || /[\n\r\t]| {2}/.test(text));
  if (isPlain && before.length <= maxText && after.length <= maxText) return `${old} → ${current}`;
  const start = firstDifference(before, after);
  const texts = [part(before, start), part(after, start)];
  // Other code points may look the same: a no-break space, or an accent of its own.
  const [one = '', other = ''] = texts.map(lookOf);
  return one === other ? texts.map(escaped).join(' → ') : texts.join(' → ');
}

/** What a reader sees of a text. */
function lookOf(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\p{Zs}\p{Cf}]/gu, ' ');
}

function escaped(text: string): string {
  return text.replaceAll(/[^ -~…]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function firstDifference(before: string, after: string): number {
  let index = 0;
  while (index < before.length && before[index] === after[index]) index += 1;
  return index;
}

/** A text in quotes, cut around a place. Blanks that cannot be seen are written as escapes. */
function part(text: string, place: number): string {
  const from = place > around ? place - around : 0;
  const to = Math.min(text.length, place + around * 2);
  const quoted = JSON.stringify(text.slice(from, to)).slice(1, -1);
  return `${from > 0 ? '…' : ''}"${quoted}"${to < text.length ? '…' : ''}`;
}
