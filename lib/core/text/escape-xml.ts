import { sanitizeText } from './sanitize-text.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 has no form for (§2.2), besides control characters: halves of pairs, U+FFFE and U+FFFF. */
const noXml = /[\p{Cs}\uFFFE\uFFFF]/gu;

/** A text for an attribute or an element. XML has no form at all for some characters, which become U+FFFD. */
export function escapeXml(text: string): string {
  return sanitizeText(text, () => '\uFFFD')
    .replaceAll(noXml, '\uFFFD')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
