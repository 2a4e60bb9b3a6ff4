import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../../lib/config/environment/secret.ts';

describe('a secret', () => {
  const secret = new Secret('hunter22');

  test('shows its value only through reveal', () => {
    expect(secret.reveal()).toBe('hunter22');
    const error = new Error('x', { cause: secret });
    const seen = [
      String(secret),
      JSON.stringify({ secret }),
      inspect({ deep: [secret] }, { depth: 9, showHidden: true }),
      inspect(error),
    ];
    expect(seen.slice(0, 2)).toEqual(['[secret]', '{"secret":"[secret]"}']);
    expect(seen.join()).not.toContain('hunter22');
    expect(Object.entries(structuredClone(secret))).toEqual([]);
  });
});
