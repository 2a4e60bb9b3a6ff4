import { sanitizeText } from '../../lib/core/text/sanitize-text.ts';

/**
 * Text from outside, made safe for a terminal: unsafe characters are written as JSON writes them (`\u001b`), so that
 * JSON keeps its value. Line breaks and tabs stay.
 */
export function terminalText(text: string): string {
  return sanitizeText(text, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
