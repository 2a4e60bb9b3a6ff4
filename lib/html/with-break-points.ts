import { type Content, html } from './markup.ts';

/** Characters of the longest word that stays whole. */
const maxWholeLength = 20;
const longWord = new RegExp(`\\S{${maxWholeLength + 1},}`, 'u');
/** The places between the parts of a name: after one of these signs, unless another sign or white space follows. */
const afterSign = /(?<=[/_.:=+@,-])(?=[^/_.:=+@,\s-])/u;

/**
 * A text from outside, with points at which a page may break lines: between words, and inside long names such as a
 * path or a version. Text copied from the page is the original text.
 */
export function withBreakPoints(text: string): Content {
  if (!longWord.test(text)) return text;
  return text
    .split(/(\s+)/u)
    .map((word) =>
      word.length <= maxWholeLength
        ? word
        : word.split(afterSign).map((part, i) => (i === 0 ? part : html`<wbr />${part}`)),
    );
}
