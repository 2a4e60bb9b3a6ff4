/**
 * The one list of characters that text from outside (component names, messages of the platform, branch names, paths)
 * must not carry to a reader: control characters, line and paragraph separators, and characters that are invisible or
 * change the direction of what follows. Tab and line feed belong to it too; the functions below say what they do to them.
 */
export const unsafeCharacter =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

const each = new RegExp(unsafeCharacter, 'gu');
const runs = new RegExp(`${unsafeCharacter.source}+`, 'gu');

/** Text of several lines: tabs and line feeds stay, every other unsafe character becomes what `replace` returns. */
export function sanitizeText(text: string, replace: (character: string) => string): string {
  return text.replace(each, (character) =>
    character === '\n' || character === '\t' ? character : replace(character),
  );
}

/** Text on one line: each unsafe character, tabs and line feeds included, becomes `replacement`. */
export function sanitizeLine(text: string, replacement: string): string {
  return text.replace(each, replacement);
}

/** Text on one line, for sentences: unsafe characters in a row become one blank, blanks at both ends go. */
export function oneLine(text: string): string {
  return text.replace(runs, ' ').trim();
}
