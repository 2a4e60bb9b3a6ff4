import { Webhooks } from '@octokit/webhooks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSignature, isSignedWith } from '../../../../worker/intake/receiver/signature.ts';

const secret = "It's a Secret to Everybody";
const webhooks = new Webhooks({ secret });

describe('a signature', () => {
  test('of GitHub’s own example is accepted', () => {
    const header = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    expect(isSignedWith(Buffer.from('Hello, World!'), header, [secret])).toBe(true);
  });

  test('made by GitHub’s own library is accepted, and our verdict is that library’s for any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), fc.boolean(), async (body, spoilt) => {
        const header = await webhooks.sign(body);
        const sent = spoilt ? `${body} ` : body;
        const ours = isSignedWith(Buffer.from(sent), header, ['another', secret]);
        expect(ours).toBe(await webhooks.verify(sent, header));
        expect(ours).toBe(!spoilt);
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  test('is over the bytes, whether they are text or not', async () => {
    const body = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    const header = await webhooks.sign(body.toString('utf8'));
    expect(isSignedWith(body, header, [secret])).toBe(false);
  });

  test('is refused for other bytes that decode to the same text', async () => {
    const signed = Buffer.from('{"ref":"\u{fffd}"}');
    const header = await webhooks.sign(signed.toString('utf8'));
    const altered = Buffer.from(signed.toString('latin1').replace('\u00ef\u00bf\u00bd', '\u00ff'), 'latin1');
    expect(altered.toString('utf8')).toBe(signed.toString('utf8'));
    expect(isSignedWith(signed, header, [secret])).toBe(true);
    expect(isSignedWith(altered, header, [secret])).toBe(false);
  });

  test.each([
    undefined,
    '',
    'sha256=',
    `sha1=${'a'.repeat(40)}`,
    `sha256=${'A'.repeat(64)}`,
    `sha256=${'a'.repeat(63)}`,
    ` sha256=${'a'.repeat(64)}`,
  ])('is not %j', (header) => {
    expect(isSignature(header)).toBe(false);
    expect(isSignedWith(Buffer.from('x'), header ?? '', [secret])).toBe(false);
  });

  test('with an empty list of secrets is never right', async () => {
    expect(isSignedWith(Buffer.from('x'), await webhooks.sign('x'), [])).toBe(false);
  });
});
