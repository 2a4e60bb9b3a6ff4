import type { Page } from 'playwright-core';

/** Characters of the longest word that a page never breaks: longer ones, such as a hash, may break anywhere. */
const longest = 24;

/**
 * The words that a page breaks in their middle, as far as they are shown. A word ends at white space and after the signs
 * between the parts of a name, where a line may end: `/`, `_`, `-`, `.`, `:`, `,`, `=`, `@` and `+`.
 */
export function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = [];
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      if (!text.parentElement.checkVisibility() || text.parentElement.closest('pre, .unseen') !== null) continue;
      for (const { 0: word, index } of text.data.matchAll(/[^\\s/_\\-.:,=@+]+[/_\\-.:,=@+]*/g)) {
        if (word.length > ${longest}) continue;
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(word + ' in ' + text.data.trim().slice(0, 80));
      }
    }
    return found;
  })()`);
}
