import { sanitizeText } from '../core/text/sanitize-text.ts';

/** HTML that is safe to send to a browser. Only `html` creates it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. `false`, `null` and `undefined` render nothing. */
export type Content = Markup | string | number | false | null | undefined | readonly Content[];

/** An HTML template that escapes every value that is not Markup. Attribute values must be in quotation marks. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(strings.map((string, i) => string + written(values[i])).join(''));
}

function written(value: Content): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(written).join('');
  return visible(String(value)).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Makes text from outside safe for HTML: every unsafe character becomes a replacement character, so that a text
 * copied from the page is exactly the text that is shown.
 */
export function visible(text: string): string {
  return sanitizeText(text, () => '\ufffd');
}
