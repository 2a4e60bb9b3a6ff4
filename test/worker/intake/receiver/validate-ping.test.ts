import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { validatePing } from '../../../../worker/intake/receiver/validate-ping.ts';

const good = {
  hook_id: 12,
  hook: {
    type: 'Repository',
    active: true,
    events: ['push', 'issue_comment'],
    config: { content_type: 'json', insecure_ssl: '0', url: 'https://worker.example.com/webhooks/github' },
  },
};
const changed = (hook: object, config: object = {}) => ({
  ...good,
  hook: { ...good.hook, ...hook, config: { ...good.hook.config, ...config } },
});

test('a webhook with the required or with all events has no problem', () => {
  expect(validatePing(good)).toEqual({ hook: 12, problems: [] });
  expect(validatePing(changed({ events: ['*'] }, { insecure_ssl: 0 }))?.problems).toEqual([]);
  expect(validatePing(changed({}, { url: 'http://127.0.0.1:8080/webhooks/github' }))?.problems).toEqual([]);
});

test.each([
  ['not active', changed({ active: false })],
  ['does not send pushes', changed({ events: ['issue_comment'] })],
  ['does not send comments', changed({ events: ['push'] })],
  ['content type is not JSON', changed({}, { content_type: 'form' })],
  ['does not verify our certificate', changed({}, { insecure_ssl: '1' })],
  ['address is not https', changed({}, { url: 'http://worker.example.com/webhooks/github' })],
])('a webhook has the problem: %s', (problem, body) => {
  expect(validatePing(body)?.problems).toEqual([expect.stringContaining(problem)]);
});

test.each([[null], [[]], ['ping'], [{}], [{ hook: 'x' }], [{ hook: { events: 'push' } }]])(
  'a body that is not a ping (%j) is not validated',
  (body) => {
    expect(validatePing(body)).toBeUndefined();
  },
);

test('every real ping is understood', () => {
  const examples = createRequire(import.meta.url)(
    '@octokit/webhooks-examples/api.github.com/index.json',
  ) as readonly {
    name: string;
    examples: readonly unknown[];
  }[];
  const pings = examples.find(({ name }) => name === 'ping')?.examples ?? [];
  expect(pings.length).toBeGreaterThan(3);
  for (const ping of pings) expect(validatePing(ping)).toBeDefined();
});
