import { expect, test } from 'vitest';
import { createRetryBudget } from '../../../client/calls/retry-budget.ts';
import { calls, clientFor, errorOf, good } from '../client-for.ts';
import { reply, serve } from '../serve.ts';

test('an outage does not multiply the load: after a hundred repetitions every call is sent once', async () => {
  await using server = await serve((response) => reply(response, 503));
  const { client } = clientFor(server.baseUrl);
  const errors = [];
  for (let batch = 0; batch < 10; batch += 1) {
    errors.push(...(await Promise.all(Array.from({ length: 50 }, () => errorOf(calls.safe(client))))));
  }
  // 500 tokens at 5 each: 100 repetitions in addition to the 500 calls. Four attempts each would be 2,000.
  expect(server.received.length).toBe(600);
  expect(errors.at(-1)).toMatchObject({
    code: 'platform-failed',
    attempts: 1,
    details: { budgetSpent: true },
  });
});

test('success refills the budget, and calls are repeated again', async () => {
  let broken = true;
  await using server = await serve((response) =>
    broken ? reply(response, 503) : reply(response, 200, good.safe),
  );
  const { client } = clientFor(server.baseUrl);
  for (let call = 0; call < 40; call += 1) await errorOf(calls.safe(client));
  expect(await errorOf(calls.safe(client))).toMatchObject({ attempts: 1 });
  broken = false;
  for (let call = 0; call < 15; call += 1) await calls.safe(client);
  broken = true;
  expect(await errorOf(calls.safe(client))).toMatchObject({ attempts: 4 });
  expect(await errorOf(calls.safe(client))).toMatchObject({ attempts: 1, details: { budgetSpent: true } });
});

test('each client has a budget of its own', async () => {
  await using server = await serve((response) => reply(response, 503));
  const { client: spent } = clientFor(server.baseUrl);
  for (let call = 0; call < 40; call += 1) await errorOf(calls.safe(spent));
  const { client: fresh } = clientFor(server.baseUrl);
  expect(await errorOf(calls.safe(fresh))).toMatchObject({ attempts: 4 });
});

test('an answer costs 5 tokens, no answer 10; a successful repetition returns its cost, another success 1', () => {
  const answered = { kind: 'answered', answer: { status: 503, headers: {}, text: '' } } as const;
  const lost = { kind: 'lost', problem: 'reset' } as const;
  const budget = createRetryBudget(20);
  expect(budget.take(lost)).toBe(true);
  expect(budget.take(answered)).toBe(true);
  expect(budget.tokens).toBe(5);
  expect(budget.take(lost)).toBe(false);
  expect(budget.tokens).toBe(5);
  budget.succeeded(undefined);
  expect(budget.tokens).toBe(6);
  budget.succeeded(lost);
  expect(budget.tokens).toBe(16);
  budget.succeeded(lost);
  expect(budget.tokens).toBe(20);
});
