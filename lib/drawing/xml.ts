import { html } from '../html/markup.ts';

/** `html` under a name that the formatter does not know: its line breaks would double the size of a picture. */
export const xml = html;
