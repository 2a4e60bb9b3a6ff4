import { expect, test } from 'vitest';
import { escapeXml } from '../../../../lib/core/text/escape-xml.ts';

test('every character becomes one that XML 1.0 allows, and markup becomes entities', () => {
  for (let unit = 0; unit <= 0xff_ff; unit += 1) {
    // The characters of XML 1.0, §2.2.
    expect(escapeXml(String.fromCharCode(unit))).toMatch(
      /^(?:[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}]|&(?:amp|lt|gt|quot);)$/u,
    );
  }
  expect(escapeXml('a\ufffe\uffff\ud800b 🎉 <x y="1">&</x>')).toBe(
    'a\ufffd\ufffd\ufffdb 🎉 &lt;x y=&quot;1&quot;&gt;&amp;&lt;/x&gt;',
  );
});
