import { invisibleCharacter } from '../core/text/visible-text.ts';

/**
 * A text in double quotation marks, as YAML and JavaScript's JSON write it. Characters that cannot be seen are escapes, and so
 * are accents that a reader would take for another spelling of the same letter: the text can be read, and is read again
 * as it is.
 */
export function quoteText(text: string): string {
  const isComposed = text.normalize('NFC') === text;
  return JSON.stringify(text).replaceAll(/[^ -~]/gu, (character) =>
    invisibleCharacter.test(character) || (!isComposed && isPart(character)) ? escape(character) : character,
  );
}

/** Whether a character is a mark on the letter before it, or is written in another way in composed texts. */
function isPart(character: string): boolean {
  return /\p{M}/u.test(character) || character.normalize('NFC') !== character;
}

/** `\u00e9`, or eight digits after `\U` */
function escape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
