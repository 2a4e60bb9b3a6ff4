import { sanitizeText } from './sanitize-text.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 has no form for (§2.2), besides control characters: halves of pairs, U+FFFE and U+FFFF. */
const noXml = /[\p{Cs}\uFFFE\uFFFF]/gu;

/** A text without the characters that XML has no form at all for, and without unsafe ones: each becomes U+FFFD. It is not yet escaped. */
export function xmlText(text: string): string {
  return sanitizeText(text, () => '\uFFFD').replaceAll(noXml, '\uFFFD');
}

/** A text for an attribute or an element. */
export function escapeXml(text: string): string {
  return xmlText(text).replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
