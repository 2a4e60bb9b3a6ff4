import { sanitizeText } from './sanitize-text.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 has no form for (§2.2), besides control characters: halves of pairs, U+FFFE and U+FFFF. */
const noXml = /[\p{Cs}\uFFFE\uFFFF]/gu;

/**
 * Replaces unsafe characters, and characters that XML cannot represent, by U+FFFD. The result must still be
 * escaped.
 */
export function xmlText(text: string): string {
  return sanitizeText(text, () => '\uFFFD').replaceAll(noXml, '\uFFFD');
}

/** Escapes a text for an XML attribute or element. */
export function escapeXml(text: string): string {
  return xmlText(text).replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
