import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html, visible } from '../../../lib/html/markup.ts';

// A fixed seed: every run tests the same cases.
fc.configureGlobal({ seed: 20_310_101 });

test('values are escaped in text and in attributes, and markup stays unchanged', () => {
  const foreign = `<img src=x onerror="a('b')">&amp;`;
  expect(html`<a title="${foreign}">${html`<b>${foreign}</b>`}</a>`.text).toBe(
    '<a title="&#60;img src=x onerror=&#34;a(&#39;b&#39;)&#34;&#62;&#38;amp;"><b>&#60;img src=x onerror=&#34;a(&#39;b&#39;)&#34;&#62;&#38;amp;</b></a>',
  );
  expect(html`${[1, null, undefined, false, 'a', [html`<i></i>`]]}`.text).toBe('1a<i></i>');
});

test('no text adds a markup character or an invisible character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(html`${text}`.text.replaceAll(/&#\d+;/g, '')).not.toMatch(/[<>"'&\u0000\u202e\u2066]/u);
    }),
  );
});

test('direction-changing characters are replaced, and right-to-left text stays', () => {
  expect(visible('to-\u202eprod \u05d0\u05d1 \u200bx')).toBe('to-\ufffdprod \u05d0\u05d1 \ufffdx');
});
