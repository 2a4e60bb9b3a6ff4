/**
 * The only list of unsafe characters in text from outside (component names, messages of the platform, branch names,
 * paths): control characters, line and paragraph separators, and characters that are invisible or change the text
 * direction. It includes tab and line feed; the functions below document how they treat them.
 */
export const unsafeCharacter =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

const each = new RegExp(unsafeCharacter, 'gu');
const runs = new RegExp(`${unsafeCharacter.source}+`, 'gu');

/**
 * Text of several lines: keeps tabs and line feeds, replaces every other unsafe character by the result of `replace`.
 */
export function sanitizeText(text: string, replace: (character: string) => string): string {
  return text.replace(each, (character) =>
    character === '\n' || character === '\t' ? character : replace(character),
  );
}

/** Text on one line: replaces each unsafe character, including tabs and line feeds, by `replacement`. */
export function sanitizeLine(text: string, replacement: string): string {
  return text.replace(each, replacement);
}

/** Text on one line, for sentences: replaces each run of unsafe characters by one space and trims both ends. */
export function oneLine(text: string): string {
  return text.replace(runs, ' ').trim();
}
