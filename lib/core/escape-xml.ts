import { sanitizeText } from './sanitize-text.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text for an attribute or an element. XML has no form at all for most control characters. */
export function escapeXml(text: string): string {
  return sanitizeText(text, () => '\uFFFD').replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
