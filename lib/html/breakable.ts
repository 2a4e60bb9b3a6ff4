import { type Content, html } from './markup.ts';

/** Characters of the longest word that stays whole. */
const maxWholeLength = 20;
const longWord = new RegExp(`\\S{${maxWholeLength + 1},}`, 'u');
/** Between the parts of a name: after one of these signs, unless another one or white space follows. */
const afterSign = /(?<=[/_.:=+@,-])(?=[^/_.:=+@,\s-])/u;

/**
 * A text from outside in which the lines of a page end between words, or between the parts of a long name, such as a path
 * or a version. What is copied from the page is the text as it was.
 */
export function breakable(text: string): Content {
  if (!longWord.test(text)) return text;
  return text
    .split(/(\s+)/u)
    .map((word) =>
      word.length <= maxWholeLength
        ? word
        : word.split(afterSign).map((part, i) => (i === 0 ? part : html`<wbr />${part}`)),
    );
}
