import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingPostgres } from '../../environment/postgres.ts';

const root = path.resolve(import.meta.dirname, '../../..');

describe('npm run demo', () => {
  let folder: string;
  let output: string;
  let errors: string;
  let code: number | null;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'millrace-demo-test-'));
    // PostgreSQL does not run as root: the demo starts it as another user, who must reach its folder.
    chmodSync(folder, 0o711);
    const child = spawn(process.execPath, [path.join(root, 'tools/demo/main.ts')], {
      cwd: root,
      env: { ...process.env, TMPDIR: folder, MILLRACE_REDIS_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close');
    [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    [code] = (await ended) as [number | null];
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('ends with exit code 0 and reports that all checks passed', () => {
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(output).toMatch(/All checks of the demo passed, in \d+ seconds\.\n$/);
  });

  test('shows each part of the main job', () => {
    for (const sentence of [
      'error daily/load returns.orch.yaml:12 The name of the component "load_returns"',
      '✅ Review: passed',
      'table "ORDERS": +1 −0 ~0; key ORDER_ID, PRODUCT_ID',
      'as version v1.0.0 to dev',
      'millrace/to-test: success: v1.0.0 is in test, verified by 1 execution',
      'millrace/to-prod: success: v1.0.0 is in prod, verified by 1 execution',
      'SIGKILL ends its process',
      'everything exactly once',
      'was answered 409',
      'runs again: already-done',
      'answers 200 and starts no promotion',
      'v1.1.0 is disabled in prod, so executions there use v1.0.0 again',
      'Artifact disabled',
    ])
      expect(output).toContain(sentence);
  });

  test.skipIf(missingPostgres !== undefined)(
    'streams orders from PostgreSQL into dev, and transforms them',
    () => {
      expect(output).toContain('STG_ORDERS has its 3 rows');
      expect(output).toContain('ORDER_ID o2, CUSTOMER_ID c2, PRODUCT_ID p1, QUANTITY 5,');
      expect(output).toContain('ORDER_ID o4, CUSTOMER_ID c2, PRODUCT_ID p1, QUANTITY 1,');
    },
  );

  test('removes all its files', () => {
    expect(readdirSync(folder)).toEqual([]);
  });
});
