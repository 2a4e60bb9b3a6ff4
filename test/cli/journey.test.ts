import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { smallPipeline } from '../flows/flow-environment.ts';
import { openHeldLine } from './platform/held-line.ts';
import { sharedPipelines } from './shared-pipelines.ts';
import { createCliEnvironment, type CliEnvironment } from './cli-environment.ts';

describe('from a review to a rollback', () => {
  let testEnvironment: CliEnvironment;
  beforeEach(async () => {
    testEnvironment = await createCliEnvironment();
  });
  afterEach(() => testEnvironment[Symbol.asyncDispose]());

  const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

  test('each command writes its result to stdout and its progress to stderr, and sets its exit code', async () => {
    const reviewed = await testEnvironment.run(['review']);
    expect(reviewed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no findings. The review passed.'),
    });
    expect(reviewed.stderr).toBe('Requesting a review of 2 files from the platform\n');

    const planned = await testEnvironment.run([
      'publish',
      '--version',
      '1.0.0',
      '--environment',
      'dev',
      '--dry-run',
    ]);
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('Would publish 1.0.0 to dev') });
    expect(await testEnvironment.versions('dev')).toEqual({});

    const published = await testEnvironment.run([
      'publish',
      '--version',
      '1.0.0',
      '--environment',
      'dev',
      '--json',
    ]);
    expect(published.code).toBe(0);
    expect(json(published.stdout)).toMatchObject({ outcome: 'passed', version: '1.0.0', environment: 'dev' });
    expect(published.stderr).toContain('Publishing 2 files as 1.0.0 to dev\n');

    const again = await testEnvironment.run([
      'publish',
      '--version',
      '1.0.0',
      '--environment',
      'dev',
      '--json',
    ]);
    expect([again.code, json(again.stdout)['outcome']]).toEqual([0, 'already-done']);

    const promote = ['promote', '--version', '1.0.0', '--from', 'dev', '--to', 'test'];
    const would = await testEnvironment.run([...promote, '--dry-run']);
    expect(would).toMatchObject({
      code: 0,
      stdout:
        'live in test before: none, live in test afterwards: 1.0.0, what changes: millrace plan --version 1.0.0 --from dev --to test\nWould promote 1.0.0 from dev to test.\n',
    });
    expect(await testEnvironment.versions('test')).toEqual({});
    expect(await testEnvironment.run(promote)).toMatchObject({
      code: 0,
      stdout: 'live in test before: none, live in test now: 1.0.0\nPromoted 1.0.0 from dev to test.\n',
    });
    expect(await testEnvironment.versions('test')).toEqual({ '1.0.0': true });

    const ran = await testEnvironment.run(['run', 'daily/load', '--environment', 'test', '--json']);
    expect(ran.code).toBe(0);
    expect(json(ran.stdout)).toMatchObject({ outcome: 'passed', status: 'SUCCESS', terminated: false });
    expect(ran.stderr).toContain('Starting daily/load in test\n');

    const alone = await testEnvironment.run(['rollback', '--environment', 'dev', '--json']);
    expect(alone.code).toBe(1);
    expect(json(alone.stdout)).toMatchObject({
      outcome: 'error',
      error: { code: 'nothing-to-roll-back-to', message: expect.stringContaining('1.0.0') },
    });

    testEnvironment.work.write('daily/more.orch.yaml', smallPipeline);
    testEnvironment.work.commit('More');
    await testEnvironment.run(['publish', '--version', '1.1.0', '--environment', 'dev']);
    const back = ['rollback', '--environment', 'dev', '--version', '1.1.0'];
    expect((await testEnvironment.run([...back, '--dry-run'])).stdout).toMatch(
      /\n {2}1\.0\.0 [\s\S]*\nWould disable 1\.1\.0 in dev; 1\.0\.0 would be live\.\n$/,
    );
    expect(await testEnvironment.versions('dev')).toEqual({ '1.1.0': true, '1.0.0': true });
    expect(await testEnvironment.run(back)).toMatchObject({
      code: 0,
      stdout: 'Disabled 1.1.0 in dev; 1.0.0 is live.\n',
    });
    expect(await testEnvironment.versions('dev')).toEqual({ '1.1.0': false, '1.0.0': true });
  });

  test('a violation is shown on its line and ends with 1, as text and JSON, on the platform and locally', async () => {
    testEnvironment.work.write('daily/bad.orch.yaml', smallPipeline.replaceAll('Work', 'work'));
    testEnvironment.work.commit('A name in lower case');
    testEnvironment.push();
    const [words, asJson, local, other] = await Promise.all([
      testEnvironment.run(['review']),
      testEnvironment.run(['review', '--json']),
      testEnvironment.run(['review', '--local']),
      testEnvironment.run(['review', '--local', 'daily/load.orch.yaml']),
    ]);
    expect(words.code).toBe(1);
    expect(words.stdout).toMatch(/^daily\/bad\.orch\.yaml\n {2}9:\d+ +error .*"work"/);
    expect(asJson.code).toBe(1);
    expect(json(asJson.stdout)).toMatchObject({
      outcome: 'failed',
      findings: [{ line: 9, component: 'work' }],
    });
    expect(local.code).toBe(1);
    expect(local.stdout).toContain('"work"');
    // Only the named file.
    expect(other.code).toBe(0);
    expect(other.stdout).toContain('1 file reviewed');
  });

  test('the shared pipelines of a tag are published once', async () => {
    testEnvironment.work.write('.platform/shared-pipelines.yaml', sharedPipelines);
    testEnvironment.work.commit('Share one');
    testEnvironment.work.git('tag', 'v2');
    const publish = ['publish-shared', '--prefix', 'finance', '--tag', 'v2', '--json'];
    const planned = await testEnvironment.run([...publish, '--dry-run']);
    expect(json(planned.stdout)).toMatchObject({ dryRun: true, sharedPipelines: ['load-1'], version: 'v2' });
    expect((await testEnvironment.client.sharedPipelines.list({})).total).toBe(0);
    expect(json((await testEnvironment.run(publish)).stdout)).toMatchObject({ outcome: 'passed' });
    expect(json((await testEnvironment.run(publish)).stdout)).toMatchObject({ outcome: 'already-done' });
  });

  test('--keep-enabled limits the number of enabled shared versions', async () => {
    testEnvironment.work.write('.platform/shared-pipelines.yaml', sharedPipelines);
    testEnvironment.work.commit('Share one');
    const publish = ['publish-shared', '--prefix', 'finance', '--keep-enabled', '1', '--version'];
    await testEnvironment.run([...publish, '1']);
    testEnvironment.work.commit('Another');
    const planned = await testEnvironment.run([...publish, '2', '--dry-run']);
    expect(planned.stdout).toContain('would disable: 1, ');
    const ended = await testEnvironment.run([...publish, '2']);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('disabled: 1, ') });
    expect(await testEnvironment.run([...publish, '2', '--keep-enabled', '0'])).toMatchObject({
      code: 2,
      stdout: '',
    });
  });

  test('rollback --shared makes the previous shared version live, and never disables the last one', async () => {
    testEnvironment.work.write('.platform/shared-pipelines.yaml', sharedPipelines);
    testEnvironment.work.commit('Share one');
    await testEnvironment.run(['publish-shared', '--prefix', 'finance', '--version', '1']);
    testEnvironment.work.commit('Another');
    await testEnvironment.run(['publish-shared', '--prefix', 'finance', '--version', '2']);
    const back = ['rollback', '--shared', '--prefix', 'finance'];

    expect(await testEnvironment.run([...back, '--version', '2', '--dry-run'])).toMatchObject({
      code: 0,
      stdout: 'Would disable 2 of the shared pipelines finance; 1 would be live.\n',
    });
    const done = await testEnvironment.run([...back, '--version', '2', '--json']);
    expect(json(done.stdout)).toMatchObject({
      outcome: 'passed',
      prefix: 'finance',
      disabled: '2',
      live: '1',
    });
    expect(await testEnvironment.run([...back, '--version', '2'])).toMatchObject({
      code: 0,
      stdout: '2 of the shared pipelines finance is already disabled; 1 is live.\n',
    });
    const last = await testEnvironment.run(back);
    expect([last.code, last.stderr]).toEqual([1, expect.stringContaining('code: nothing-to-roll-back-to')]);
    const again = await testEnvironment.run(['publish-shared', '--prefix', 'finance', '--version', '2']);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('already published and disabled'),
    ]);
  });

  test.each([
    [['--shared', '--environment', 'dev'], '--shared'],
    [['--environment', 'dev', '--prefix', 'finance'], '--prefix'],
    [['--shared'], '--prefix'],
  ])('rollback %j is wrong use and names the option', async (args, named) => {
    const wrong = await testEnvironment.run(['rollback', ...args]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(`error: ${named}: `)]);
  });

  test('an older version is refused with the exit code 1, and --older decides otherwise', async () => {
    const publish = ['publish', '--environment', 'dev', '--version'];
    await testEnvironment.run([...publish, '1.10.0']);
    const refused = await testEnvironment.run([...publish, '1.9.0']);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain(
      '1.9.0 is older than 1.10.0, which is live in dev. Nothing was changed.',
    );
    const warned = await testEnvironment.run([...publish, '1.9.0', '--older', 'warn', '--dry-run', '--json']);
    const warning = '1.9.0 is older than 1.10.0, which is live in dev. Millrace continued with 1.9.0.';
    expect([warned.code, json(warned.stdout)['warnings']]).toEqual([0, [warning]]);
    expect(warned.stderr).toContain(warning);
    const promote = ['promote', '--version', '1', '--lane', 'x', '--reason', 'y', '--older', 'allow'];
    const wrong = await testEnvironment.run(promote);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--older cannot be combined')]);
  });

  test('a dry run needs no token, lists what it did not check, and warns about uncommitted changes', async () => {
    testEnvironment.work.write('daily/new.orch.yaml', 'not committed\n');
    const nowhere = { MILLRACE_BASE_URL: '', MILLRACE_TOKEN: '', MILLRACE_PROJECT_ID: '' };
    const publish = ['publish', '--version', '1', '--environment', 'dev'];
    const planned = await testEnvironment.run([...publish, '--dry-run', '--json'], nowhere);
    expect(planned.code).toBe(0);
    expect(json(planned.stdout)).toMatchObject({
      dryRun: true,
      files: [{ path: 'daily/load.orch.yaml' }, { path: 'daily/slow.orch.yaml' }],
      unchecked: [expect.stringContaining('already has 1'), expect.stringContaining('connectors')],
    });
    expect(planned.stderr).toContain(
      'The platform was not called, because MILLRACE_BASE_URL and MILLRACE_TOKEN and project in millrace.yaml are not set.',
    );
    expect(planned.stderr).toContain('Uncommitted changes are left out: daily/new.orch.yaml.');
    expect(await testEnvironment.run(publish, nowhere)).toMatchObject({ code: 2, stdout: '' });
  });

  test('the doctor passes with a project; without one it reports what is missing with hints', async () => {
    const [well, ill] = await Promise.all([
      testEnvironment.run(['doctor']),
      testEnvironment.run(['doctor', '--json'], { MILLRACE_PROJECT_ID: '' }),
    ]);
    expect(well).toMatchObject({ code: 0, stderr: '' });
    expect(well.stdout).not.toContain('FAIL');
    expect(ill.code).toBe(1);
    const checks = (json(ill.stdout) as { checks: { what: string; ok: boolean; hint?: string }[] }).checks;
    expect(checks.filter(({ ok }) => !ok)).toEqual([
      expect.objectContaining({ what: 'project', hint: expect.stringContaining('MILLRACE_PROJECT_ID') }),
    ]);
  });

  test('a time limit, a busy tag and a version of another commit end with 1', async () => {
    const run = ['run', 'daily/slow', '--environment', 'dev'];
    await testEnvironment.run(['publish', '--version', '3.0.0', '--environment', 'dev']);
    const late = await testEnvironment.run([...run, '--timeout', '1s', '--json']);
    expect(late.code).toBe(1);
    expect(json(late.stdout)).toMatchObject({ outcome: 'failed', timedOut: true, terminated: true });

    const first = await testEnvironment.run([...run, '--tag', 'night', '--no-wait', '--json']);
    expect([first.code, json(first.stdout)['outcome']]).toEqual([0, 'passed']);
    const [busy, skipped, attached] = await Promise.all([
      testEnvironment.run([...run, '--tag', 'night']),
      testEnvironment.run([...run, '--tag', 'night', '--on-conflict', 'skip']),
      testEnvironment.run([
        'run',
        `--attach=${String(json(first.stdout)['executionId'])}`,
        '--timeout=1s',
        '--on-timeout=detach',
        '--json',
      ]),
    ]);
    expect(busy).toMatchObject({ code: 1, stdout: '' });
    expect(busy.stderr).toContain('code: execution-tag-conflict');
    expect(skipped).toMatchObject({ code: 0, stdout: expect.stringContaining('Not started') });
    expect(attached.code).toBe(1);
    expect(json(attached.stdout)).toMatchObject({ status: 'RUNNING', timedOut: true, terminated: false });
    expect(json(attached.stdout)).not.toHaveProperty('tag');

    testEnvironment.work.commit('Something else');
    const other = await testEnvironment.run(['publish', '--version', '3.0.0', '--environment', 'dev']);
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toContain('code: version-exists');
  });

  test('a start with a lost answer ends with 4, because only a person can check it', async () => {
    await testEnvironment.run(['publish', '--version', '4.0.0', '--environment', 'dev']);
    await using line = await openHeldLine(testEnvironment.platform.baseUrl, {
      request: /^POST \S+\/pipeline-executions /,
      at: 'answer',
    });
    await using running = testEnvironment.start([
      'run',
      'daily/slow',
      '--environment=dev',
      '--tag=lost',
      '--json',
      `--base-url=${line.url}`,
    ]);
    await line.held;
    line.cut();
    const ended = await running.ended;
    expect(ended.code).toBe(4);
    expect(json(ended.stdout)).toMatchObject({
      outcome: 'indeterminate',
      error: { code: 'outcome-unknown', message: expect.stringContaining('lost') },
    });
  });
});
