import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { signIn } from './browser.ts';
import { tokens, withOperators } from './operators.ts';
import { quietDashboard } from './quiet-dashboard.ts';

const redis = testRedis();

/** The words of a page, and the addresses of its links. */
const words = (text: string): string =>
  text
    .replaceAll(/<a href="([^"]*)">/g, '$1 ')
    .replaceAll(/<[^>]*>|\s+/g, ' ')
    .replaceAll(/ +/g, ' ');

test('an empty board says what GitHub must send, about the repositories of the operator only', async () => {
  await using worker = await quietDashboard(redis.connect(), withOperators());
  const vera = await signIn(worker.url, tokens.vera);
  const board = words(await vera.see('/'));
  expect(board).toContain('with the first push that enters them. For that, GitHub must send:');
  expect(board).toMatch(/example\/warehouse: branch main ?, tag v\* .*example\/another: branch main /);
  expect(board).toContain('/deliveries Deliveries');
  expect(board).not.toContain('webhook send');

  const sam = await signIn(worker.url, tokens.sam);
  const own = words(await sam.see('/'));
  expect(own).toContain('example/another: branch main');
  expect(own).not.toMatch(/example\/warehouse|\/deliveries/);
});

test('the empty board of the demo shows the command that sends a push', async () => {
  const demoPush = 'npx millrace webhook send push --tag v1.2.0';
  await using worker = await quietDashboard(redis.connect(), withOperators(), { demoPush });
  const { see } = await signIn(worker.url, tokens.vera);
  const board = words(await see('/'));
  expect(board).toContain(demoPush);
  expect(board).not.toContain('GitHub must send');
});
