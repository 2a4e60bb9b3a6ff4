import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FaultRule } from '../../../platform/index.ts';
import { talk } from '../talk.ts';

// The same cases everywhere and every time.
fc.configureGlobal({ seed: 20_310_101 });

const fault = fc.oneof(
  fc.constantFrom<FaultRule>(
    { wire: 'refuse' },
    { wire: 'reset-before' },
    { wire: 'reset-after' },
    { wire: 'empty' },
    { wire: 'empty', processed: false },
    { wire: 'dribble', interval: 0 },
    { wire: 'malformed-chunk' },
    { wire: 'truncated' },
    { wire: 'truncated', processed: false },
    { status: 503 },
    { status: 500, processed: true },
    { status: 200, body: '{"half":', wire: 'truncated' },
  ),
  fc.constant(undefined),
);
const step = fc.record({ method: fc.constantFrom('POST', 'DELETE'), name: fc.constantFrom('a', 'b'), fault });

test('whatever faults strike, the ledger has one entry for each request that changed something, and none else', async () => {
  await using platform = await talk();
  const { faults, ledger, requests } = platform.platform;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      platform.platform.reset();
      const there = new Set<string>();
      const expected: string[] = [];
      for (const { method, name, fault: rule } of steps) {
        faults.set(rule === undefined ? [] : [rule]);
        const body = { name, type: 'TEXT', behaviour: 'SHARED', value: 'x' };
        const sent =
          method === 'POST'
            ? platform.post(`${platform.project}/variables`, body)
            : platform.delete(`${platform.project}/variables/${name}`);
        await sent.catch(() => 'lost');
        const processed =
          rule === undefined ||
          (rule.processed ??
            (rule.wire !== 'refuse' && rule.wire !== 'reset-before' && rule.status === undefined));
        if (!processed || there.has(name) === (method === 'POST')) continue;
        if (method === 'POST') there.add(name);
        else there.delete(name);
        expected.push(`${method === 'POST' ? 'created' : 'deleted'} ${name}`);
      }
      const entries = ledger();
      expect(entries.map(({ effect, subject }) => `${effect} ${subject.name}`)).toEqual(expected);
      expect(new Set(entries.map(({ requestId }) => requestId)).size).toBe(entries.length);
      // Every caller that was sent anything is in the log; a client that quietly sends again would show here.
      expect(requests().requests).toHaveLength(steps.length);
    }),
    { numRuns: 60 },
  );
});
