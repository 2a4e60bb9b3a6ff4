/**
 * Characters that cannot be seen, that look like a blank, or that control a terminal. The normal blank is not among
 * them.
 */
export const invisibleCharacter = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{DI}\u2800]|(?! )\p{Zs}/u;

const each = new RegExp(invisibleCharacter, 'gu');

/** A text with escapes such as `\u{200b}` in place of the characters that cannot be seen. */
export function visibleText(text: string): string {
  return text.replace(each, codePointEscape);
}

/** The escape for a character, such as `\u{e9}`. */
export function codePointEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
