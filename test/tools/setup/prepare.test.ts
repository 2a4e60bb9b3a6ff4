import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClone, runTask, standIn } from './fake-clone.ts';

/** Does what `npm ci` does to the folder, as far as the set-up looks. */
const installs = `
  fs.mkdirSync('node_modules', { recursive: true });
  fs.writeFileSync('node_modules/.package-lock.json', '{}');
`;

/** So that no Redis is looked for: that is tested with worker/redis. */
const env = { MILLRACE_REDIS_URL: 'redis://127.0.0.1:1' };

const calls = (clone: string): string[] => readFileSync(join(clone, 'calls'), 'utf8').trim().split('\n');

test('packages are installed once, without their scripts, and again only when the lock file changes', async () => {
  const clone = fakeClone();
  standIn(clone, 'npm', installs);
  expect(await runTask(clone, ['setup'], env)).toMatchObject({ code: 0 });
  expect(await runTask(clone, ['setup'], env)).toMatchObject({ code: 0 });
  expect(calls(clone)).toHaveLength(1);
  expect(calls(clone)[0]).toMatch(/^ci --ignore-scripts/);

  writeFileSync(join(clone, 'package-lock.json'), '{ "lockfileVersion": 3, "packages": {} }\n');
  await runTask(clone, ['setup'], env);
  expect(calls(clone)).toHaveLength(2);
});

test('a failed install prints the message of npm and a hint, and the next run repeats it', async () => {
  const clone = fakeClone();
  standIn(clone, 'npm', `${installs} console.error('network is down'); process.exit(1);`);
  const failed = await runTask(clone, ['setup'], env);
  expect(failed.code).toBe(2);
  expect(failed.output).toMatch(/network is down\n {2}how to fix: Check the network/);
  standIn(clone, 'npm', installs);
  expect(await runTask(clone, ['setup'], env)).toMatchObject({ code: 0 });
});

test('two set-ups at the same time install only once', async () => {
  const clone = fakeClone();
  standIn(clone, 'npm', `setTimeout(() => { ${installs} }, 100);`);
  const ends = await Promise.all([1, 2, 3].map(() => runTask(clone, ['setup'], env)));
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(calls(clone)).toHaveLength(1);
});

test.each([
  ['whose process is gone', `999999999 ${hostname()}`, 0],
  ['that was not touched for minutes', '1 another-machine', 300],
])('a lock %s is taken over', async (_, owner, secondsOld) => {
  const clone = fakeClone();
  standIn(clone, 'npm', installs);
  const lock = join(clone, '.millrace', 'setup.lock');
  mkdirSync(join(clone, '.millrace'));
  writeFileSync(lock, `${owner}\n`);
  const then = new Date(Date.now() - secondsOld * 1_000);
  utimesSync(lock, then, then);
  expect(await runTask(clone, ['setup'], env)).toMatchObject({ code: 0 });
});

test('an unknown task is refused with the list of tasks', async () => {
  const { code, output } = await runTask(fakeClone(), ['tset']);
  expect(code).toBe(2);
  expect(output).toContain('Unknown task "tset"');
  expect(output).toContain('setup, demo, test');
});

test('exit code and arguments of a command are passed on unchanged', async () => {
  const clone = fakeClone();
  standIn(clone, 'npm', installs);
  mkdirSync(join(clone, 'tools/demo'));
  writeFileSync(
    join(clone, 'tools/demo/main.ts'),
    'console.log(process.argv.slice(2).join("|")); process.exit(7);\n',
  );
  const { code, output } = await runTask(clone, ['demo', '--keep', 'a b'], env);
  expect(code).toBe(7);
  expect(output).toContain('--keep|a b');
  rmSync(join(clone, 'tools/demo'), { recursive: true });
});

test('a signal is forwarded to the task, which decides how it ends', async () => {
  const clone = fakeClone();
  standIn(clone, 'npm', installs);
  mkdirSync(join(clone, 'tools/demo'));
  writeFileSync(
    join(clone, 'tools/demo/main.ts'),
    `process.on('SIGTERM', () => process.exit(9));
     setInterval(() => {}, 1_000);
     console.log('up');`,
  );
  const { code } = await runTask(clone, ['demo'], env, (child, output) => {
    if (output.includes('up')) child.kill('SIGTERM');
  });
  expect(code).toBe(9);
});
