/** HTML that may go to a browser as it is. Only `html` makes it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: nothing at all for `false`, `null` and `undefined`. */
export type Content = Markup | string | number | false | null | undefined | readonly Content[];

/** A template of HTML whose values are escaped unless they are Markup. Values of attributes stand in quotation marks. */
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
 * Characters that nobody sees, or that turn the direction of what follows, become a replacement character: foreign
 * text must look like what it is, also where somebody copies it.
 */
export function visible(text: string): string {
  return text.replaceAll(unseen, '\ufffd');
}

const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
