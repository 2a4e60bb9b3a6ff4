/**
 * Foreign text (component names, platform messages, branch names) made harmless for a terminal: control characters,
 * escapes, direction marks and odd line ends become visible, line breaks and tabs stay. What it writes instead is
 * an escape of JSON, so that JSON stays the same value.
 */
export function terminalText(text: string): string {
  return text.replaceAll(
    // eslint-disable-next-line no-control-regex -- these are the very characters that must not pass
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
