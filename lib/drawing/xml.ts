import { html } from '../html/markup.ts';

/**
 * The same as `html`, under a name that the formatter does not know, because the formatter's line breaks would
 * double the size of a picture.
 */
export const xml = html;
