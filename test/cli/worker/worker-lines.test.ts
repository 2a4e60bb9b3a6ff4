import { expect, test } from 'vitest';
import { workerLines } from '../../../cli/worker/worker-lines.ts';

const facts = {
  url: 'http://127.0.0.1:8080',
  publicUrl: undefined,
  operators: 0,
  hasSignIn: false,
  hasToken: false,
  program: 'millrace',
};
const textOf = (more: Partial<Parameters<typeof workerLines>[0]>) =>
  workerLines({ ...facts, ...more }).join('\n');

test('a worker prints how to sign in: as an operator, with its own token, or not at all', () => {
  const [operator, own] = ['with the token of an operator', 'with the value of MILLRACE_WORKER_TOKEN'];
  expect(textOf({ operators: 2 })).toContain(operator);
  expect(textOf({ operators: 2 })).not.toContain(own);
  expect(textOf({ hasToken: true })).toContain(own);
  expect(textOf({ hasToken: true })).not.toContain(operator);
  expect(textOf({ operators: 1, hasToken: true })).toMatch(new RegExp(`${operator}.*${own}`));
  const github = { hasSignIn: true, publicUrl: 'https://worker.example.com' };
  expect(textOf(github)).toContain('sign in with GitHub at https://worker.example.com');
  expect(textOf({})).toContain('no operator can sign in');
  expect(textOf({})).not.toMatch(/sign in with|sign in as|millrace lanes/);
});

test('a worker with a public address prints it too, and uses it in the example command', () => {
  const lines = textOf({ operators: 1, publicUrl: 'https://worker.example.com' });
  expect(lines).toContain('dashboard: http://127.0.0.1:8080/, for others https://worker.example.com/');
  expect(lines).toContain('MILLRACE_WORKER_URL=https://worker.example.com ');
});
