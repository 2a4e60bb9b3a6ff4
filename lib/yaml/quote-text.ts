import { invisibleCharacter } from '../core/text/visible-text.ts';

/**
 * A text in double quotation marks, valid in YAML and JSON. Invisible characters are written as escapes, and so are
 * accents that could be taken for another spelling of the same letter, so that the text is read back exactly.
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
