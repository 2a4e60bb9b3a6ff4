import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryRepository } from '../../lib/git/temporary-repository.ts';

interface Workflow {
  readonly jobs: Record<string, { readonly steps: readonly { name?: string; run?: string }[] }>;
}

const file = join(import.meta.dirname, '..', '..', '..', '.github', 'workflows', 'release.yml');
const { jobs } = parse(readFileSync(file, 'utf8')) as Workflow;
const step = jobs['release']?.steps.find(({ name }) => name === 'Move the major tag');

test('a release moves the tag of its major version, and a fix of an older one does not move it back', () => {
  using remote = temporaryRepository('--bare');
  using work = temporaryRepository();
  work.git('remote', 'add', 'origin', remote.directory);
  const release = (tag: string): string => {
    const commit = work.commit(tag);
    work.git('tag', tag);
    work.git('push', '-q', 'origin', tag);
    const args = ['-e', '-o', 'pipefail', '-c', step?.run ?? 'exit 9'];
    execFileSync('bash', args, {
      cwd: work.directory,
      env: { ...process.env, TAG: tag },
      stdio: 'pipe',
    });
    return commit;
  };
  const at = (tag: string): string => remote.git('rev-parse', tag);
  release('v1.2.0');
  const newest = release('v1.10.0');
  expect(at('v1')).toBe(newest);
  const hint = release('v1.2.1');
  expect([at('v1'), at('v1.2.1')]).toEqual([newest, hint]);
  const next = release('v2.0.0');
  expect([at('v2'), at('v1')]).toEqual([next, newest]);
});
