import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runAction, type RunOptions } from './run-action.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-runner-test-'));
  await mkdir(join(folder, 'workspace'));
  return () => rm(folder, { recursive: true, force: true });
});

function options(more: Partial<RunOptions> = {}): RunOptions {
  return {
    path: folder,
    workspace: join(folder, 'workspace'),
    event: { hello: 'event' },
    eventName: 'push',
    repository: 'example/warehouse',
    repositoryId: 7,
    sha: '0'.repeat(40),
    ref: 'refs/heads/main',
    apiUrl: 'http://127.0.0.1:1/api/v3',
    serverUrl: 'http://127.0.0.1:1',
    ...more,
  };
}

async function script(main: string, manifest = '', post?: string): Promise<void> {
  const runs = `runs:\n  using: node24\n  main: main.mjs\n${post === undefined ? '' : '  post: post.mjs\n'}`;
  await writeFile(join(folder, 'action.yml'), `name: t\ndescription: d\n${manifest}${runs}`);
  await writeFile(join(folder, 'main.mjs'), main);
  if (post !== undefined) await writeFile(join(folder, 'post.mjs'), post);
}

async function composite(steps: string, head = ''): Promise<void> {
  await writeFile(
    join(folder, 'action.yml'),
    `name: t\ndescription: d\n${head}runs:\n  using: composite\n  steps:\n${steps}`,
  );
}

test('inputs arrive as INPUT_ variables with hyphens kept and defaults evaluated', async () => {
  await script(
    `import { appendFileSync } from 'node:fs';
     const keys = Object.keys(process.env).filter((key) => key.startsWith('INPUT_')).sort();
     appendFileSync(process.env.GITHUB_OUTPUT, 'seen=' + JSON.stringify(keys.map((key) => [key, process.env[key]])) + '\\n');`,
    `inputs:\n  base-url: { description: d }\n  some name: { description: d, default: 5 }\n  token: { description: d, default: "\${{ github.token }}" }\n`,
  );
  const result = await runAction(options({ inputs: { 'base-url': 'u', other: 'x' }, token: 'gh-token' }));
  expect(JSON.parse(result.outputs['seen'] ?? '')).toEqual([
    ['INPUT_BASE-URL', 'u'],
    ['INPUT_SOME_NAME', '5'],
    ['INPUT_TOKEN', 'gh-token'],
  ]);
  expect(result.log).toContain("Unexpected input(s) 'other'");
});

test('the event, the workspace and nothing of this process reach the action', async () => {
  await script(
    `import { readFileSync } from 'node:fs';
     console.log(readFileSync(process.env.GITHUB_EVENT_PATH, 'utf8'), process.cwd() === process.env.GITHUB_WORKSPACE, process.env.VITEST);`,
  );
  expect((await runAction(options())).log).toContain('{"hello":"event"} true undefined');
});

test('ten annotations of each level are kept from both streams, the rest is dropped', async () => {
  await script(
    `for (let i = 0; i < 12; i += 1) console.error('::error file=a.yaml,line=' + (i + 1) + ',col=2,endColumn=4::m' + i);
     console.log('::notice::n');`,
  );
  const result = await runAction(options());
  expect(result.annotations).toHaveLength(11);
  expect(result.droppedAnnotations).toBe(2);
  expect(result.annotations.find(({ level }) => level === 'error')).toEqual({
    level: 'error',
    message: 'm0',
    file: 'a.yaml',
    line: 1,
    endLine: 1,
    column: 2,
    endColumn: 4,
  });
});

test('a masked value is hidden in the captured output, and the raw bytes show a leak before the mask', async () => {
  await script(
    `import { appendFileSync } from 'node:fs';
     console.log('::add-mask::s3cret value');
     console.log('it is s3cret value and ' + encodeURIComponent('s3cret value'));
     appendFileSync(process.env.GITHUB_STEP_SUMMARY, 's3cret value');`,
  );
  const result = await runAction(options());
  expect(result.log).toBe('it is *** and ***');
  expect(result.summary).toBe('***');
  expect(result.raw).toContain('s3cret value');
});

test('a summary above 1 MiB is dropped with an error', async () => {
  await script(
    `import { appendFileSync } from 'node:fs';
     appendFileSync(process.env.GITHUB_STEP_SUMMARY, 'x'.repeat(1024 * 1024 + 1));`,
  );
  const result = await runAction(options());
  expect(result.summary).toBe('');
  expect(result.errors[0]).toContain('supports content up to a size of 1024k');
});

test('a broken output file fails the step', async () => {
  await script(
    `import { appendFileSync } from 'node:fs'; appendFileSync(process.env.GITHUB_OUTPUT, 'a<<END\\nnever closed');`,
  );
  expect((await runAction(options())).exitCode).toBe(1);
});

test('post runs after a failed main and finds its state', async () => {
  await script(
    `import { appendFileSync } from 'node:fs'; appendFileSync(process.env.GITHUB_STATE, 'id=42\\n'); process.exit(3);`,
    '',
    `console.log('post ' + process.env.STATE_id);`,
  );
  const result = await runAction(options());
  expect([result.exitCode, result.outcome, result.log]).toEqual([3, 'failure', 'post 42']);
});

test('cancellation interrupts, then terminates, then kills', async () => {
  await script(
    `process.on('SIGINT', () => console.log('int')); process.on('SIGTERM', () => console.log('term'));
     console.log('ready'); setInterval(() => {}, 1000);`,
  );
  const cancel = new AbortController();
  const result = await runAction(
    options({
      signal: cancel.signal,
      cancelTimes: { interrupt: 1000, terminate: 1000 },
      onLine: (line) => {
        if (line === 'ready') cancel.abort();
      },
    }),
  );
  expect([result.outcome, result.exitCode, result.log]).toEqual(['cancelled', 137, 'ready\nint\nterm']);
});

test('composite steps pass on outputs, stop after a failure, and run if their condition allows it', async () => {
  await composite(
    `    - id: one
      shell: bash
      env: { WHO: "\${{ inputs.who }}" }
      run: echo "greeting=hello $WHO" >> "$GITHUB_OUTPUT"
    - id: two
      shell: bash
      run: |
        false | cat
        echo never
    - id: three
      shell: bash
      run: echo never
    - id: four
      if: always() && inputs.who == 'you'
      shell: bash
      run: test -n "$GITHUB_ACTION_PATH" && echo here
`,
    `inputs:\n  who: { description: d, default: you }\noutputs:\n  said: { description: d, value: "\${{ steps.one.outputs.greeting }}" }\n`,
  );
  const result = await runAction(options());
  expect(result.steps).toEqual({ one: 'success', two: 'failure', three: 'skipped', four: 'success' });
  expect([result.outputs['said'], result.exitCode, result.log]).toEqual(['hello you', 1, 'here']);
});

test('a composite action gets no INPUT_ variables, and its steps share one annotation limit', async () => {
  const step = `    - shell: bash
      run: |
        env | grep INPUT_ || true
        for i in 1 2 3 4 5 6; do echo "::warning::w$i"; done
`;
  await composite(step + step, `inputs:\n  who: { description: d, default: you }\n`);
  const result = await runAction(options());
  expect(result.log).not.toContain('INPUT_');
  expect([result.annotations.length, result.droppedAnnotations]).toEqual([10, 2]);
});

test('a key that an action.yml cannot have is an error', async () => {
  await composite('    - run: x\n      shel: bash\n');
  await expect(runAction(options())).rejects.toThrow('shel');
});

test('actions that share a process have their own variables, folder, streams and exit code', async () => {
  // With MEET, an action ends only after another one has begun.
  const main = `import { appendFileSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
    const { MEET } = process.env;
    if (MEET !== undefined) mkdtempSync(MEET + '/');
    while (MEET !== undefined && readdirSync(MEET).length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const seen = { one: process.env.ONE, cwd: realpathSync('.') === realpathSync(process.env.GITHUB_WORKSPACE), code: process.exitCode };
    appendFileSync(process.env.GITHUB_OUTPUT, 'seen=' + JSON.stringify(seen) + '\\npid=' + process.pid + '\\n');
    process.on('SIGTERM', () => {});
    console.log('a');
    process.stdout.write('b'); process.stderr.write('::error::bad\\n'); process.stdout.write('c\\nd');
    process.exitCode = Number(process.env.ONE);`;
  await script(main);
  const run = (env: Record<string, string>) => runAction(options({ sharesProcess: true, env }));
  const first = await run({ ONE: '3' });
  const second = await run({});
  expect([first.exitCode, JSON.parse(first.outputs['seen'] ?? '')]).toEqual([3, { one: '3', cwd: true }]);
  expect(JSON.parse(second.outputs['seen'] ?? '')).toEqual({ cwd: true });
  expect(second.outputs['pid']).toBe(first.outputs['pid']);
  expect(first.log.split('\n').toSorted()).toEqual(['::error::bad', 'a', 'bc', 'd']);
  expect(first.annotations.map(({ message }) => message)).toEqual(['bad']);
  const meet = join(folder, 'meet');
  await mkdir(meet);
  const together = await Promise.all([run({ ONE: '0', MEET: meet }), run({ ONE: '0', MEET: meet })]);
  expect(new Set(together.map(({ outputs }) => outputs['pid'])).size).toBe(2);
  const alone = await runAction(options({ sharesProcess: true, env: { NODE_NO_WARNINGS: '1', ONE: '0' } }));
  expect(together.map(({ outputs }) => outputs['pid'])).not.toContain(alone.outputs['pid']);
});

test('an action that fails or exits in a shared process fails, and the next one runs', async () => {
  const run = () => runAction(options({ sharesProcess: true }));
  await script(`throw new Error('a defect');`);
  const failed = await run();
  expect([failed.exitCode, failed.log.includes('Error: a defect')]).toEqual([1, true]);
  await script('process.exit(7);');
  await expect(run()).rejects.toThrow('The process ended before the step: 7');
  await script(`console.log('next');`);
  expect((await run()).log).toBe('next');
});
