import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createOutput } from '../../../cli/terminal/output.ts';
import { terminalText } from '../../../cli/terminal/terminal-text.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { smallPipeline } from '../../flows/flow-environment.ts';
import { createCliEnvironment } from '../cli-environment.ts';

/** Sets the terminal's title, in both spellings of the escape; turns the text round; forges a line. */
const evil = 'a\u001b]0;gone\u0007b\u009b31mc\u202ed\u2066e\u200ff\u061cg\r\nok: all is well';
const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

function outputTo(options: { json?: boolean; interactive?: boolean }) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const io = {
    argv: [],
    env: {},
    cwd: '/',
    stdin: Readable.from([]),
    stdout,
    stderr,
    interactive: options.interactive ?? false,
    signal: new AbortController().signal,
    clock: systemClock,
    random: Math.random,
  };
  const output = createOutput(io, { json: options.json ?? false, verbose: true, redact: (line) => line });
  const written = async () => {
    stdout.end();
    stderr.end();
    return { stdout: await text(stdout), stderr: await text(stderr) };
  };
  return { output, written };
}

test('control characters and direction marks become visible, line breaks and tabs stay', () => {
  expect(terminalText('a\u001b[31mb\u202ec\n\td')).toBe('a\\u001b[31mb\\u202ec\n\td');
});

test('a line of a result stays one line and contains no control characters', async () => {
  const { output, written } = outputTo({});
  output.result({}, [evil]);
  const { stdout } = await written();
  expect(stdout).not.toMatch(raw);
  expect(stdout.match(/\n/g)).toHaveLength(1);
});

test('JSON output contains no control characters, and has the same value', async () => {
  const { output, written } = outputTo({ json: true });
  output.result({ [evil]: evil }, []);
  const { stdout } = await written();
  expect(stdout).not.toMatch(raw);
  expect(JSON.parse(stdout)).toEqual({ [evil]: evil });
});

test.each([{ json: true }, { json: false }])(
  'failures, logs and progress contain no control characters (%o)',
  async ({ json }) => {
    const { output, written } = outputTo({ json });
    output.progress.step(evil);
    output.logger.warn(evil, { name: evil });
    output.failure(
      new Failure('conflict', { message: evil, where: { file: evil }, hint: evil, details: { name: evil } }),
    );
    const { stdout, stderr } = await written();
    expect(stdout + stderr).not.toMatch(raw);
    // The forged sentence is inside one of our lines, or indented below its error.
    expect(stderr.split('\n').filter((line) => line.startsWith('ok:'))).toEqual([]);
  },
);

test('the live line on a terminal contains no escapes except ours', async () => {
  const { output, written } = outputTo({ interactive: true });
  output.progress.step(evil);
  output.result({}, ['done']);
  const { stdout, stderr } = await written();
  expect(stderr.replaceAll('\r\u001b[K', '')).not.toMatch(raw);
  expect(stderr.endsWith('\r\u001b[K')).toBe(true);
  expect(stdout).toBe('done\n');
});

test('the real command escapes control characters in names of components, files and branches', async () => {
  await using testEnvironment = await createCliEnvironment();
  const name = String.raw`work\e]0;gone\a\u202e`;
  testEnvironment.work.git('checkout', '-q', '-b', 'side\u202eways');
  testEnvironment.work.write(
    'daily/odd\u202e.orch.yaml',
    smallPipeline.replaceAll('"Work"', `"${name}"`).replace('Work:', `"${name}":`),
  );
  testEnvironment.work.commit('Odd names');
  testEnvironment.push();
  const [words, asJson] = await Promise.all([
    testEnvironment.run(['review']),
    testEnvironment.run(['review', '--json']),
  ]);
  for (const { code, stdout, stderr } of [words, asJson]) {
    expect(code).toBe(1);
    expect(stdout + stderr).not.toMatch(raw);
  }
  expect(words.stdout).toContain(String.raw`daily/odd\u202e.orch.yaml`);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    branch: 'side\u202eways',
    findings: [{ file: 'daily/odd\u202e.orch.yaml', component: 'work\u001b]0;gone\u0007\u202e' }],
  });
});
