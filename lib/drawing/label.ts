import { sanitizeLine } from '../core/text/sanitize-text.ts';

/** The characters of a label that are shown; the title has the whole name. */
const maxLength = 36;

/** A name on one line. A long name is shortened to its beginning and its end. */
export function shortLabel(text: string): string {
  const characters = Array.from(sanitizeLine(text, '\ufffd'));
  if (characters.length <= maxLength) return characters.join('');
  return [...characters.slice(0, maxLength - 16), '…', ...characters.slice(-15)].join('');
}

const narrow = /[iljtfrI.,:;'|!()[\]{} ]/;
const wide = /[mwMW@%]|\p{Lu}|\p{N}/u;
/** Scripts whose characters are as wide as they are high, and pictures. */
const square =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u;

/**
 * The approximate width of a text in pixels. It is rather too large than too small, because the reader's font is
 * unknown.
 */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text)
    width += square.test(character)
      ? 1.1
      : /[MW@%]/.test(character)
        ? 0.95
        : wide.test(character)
          ? 0.74
          : narrow.test(character)
            ? 0.42
            : 0.64;
  return width * fontSize;
}

const titleSize = 13;

/** The width that the name of a group needs. */
export function titleWidth(name: string): number {
  return textWidth(name, titleSize);
}

/** The name of a group, or as much of its end as fits. The folders above are visible in other names. */
export function fittingTitle(name: string, width: number): string {
  const characters = Array.from(sanitizeLine(name, '\ufffd'));
  let first = 0;
  while (first < characters.length - 4 && titleWidth(characters.slice(first).join('')) > width) first += 1;
  return first === 0 ? characters.join('') : `…${characters.slice(first + 1).join('')}`;
}
