import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { finishStep } from '../../../../actions/kit/step/finish-step.ts';
import { escapeXml } from '../../../../lib/core/text/escape-xml.ts';
import { createRedactor } from '../../../../lib/core/text/redactor.ts';
import { finding } from '../../../lib/github/findings.ts';
import { createCommandFiles } from '../../../runner/command-files.ts';

test('outputs above the limit of a job are cut, and complete in the report file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-finish-'));
  try {
    const files = await createCommandFiles(folder);
    vi.stubEnv('GITHUB_OUTPUT', files.environment['GITHUB_OUTPUT']);
    const message = 'x'.repeat(600_000);
    const report = {
      title: 'Run',
      outcome: 'failed',
      headline: 'It failed.',
      facts: [],
      findings: [],
      notes: [],
    } as const;
    await finishStep(
      'run',
      { report, details: { message }, outputs: { message } },
      {
        environment: { RUNNER_TEMP: folder },
        redact: (text) => text,
        log: () => {},
        command: () => {},
      },
    );
    const { outputs, errors } = await files.read();
    expect(errors).toEqual([]);
    expect(outputs['message']?.length).toBeLessThanOrEqual(10_000);
    expect(outputs['message']?.endsWith('…')).toBe(true);
    expect(await readFile(outputs['report-path'] ?? '', 'utf8')).toContain(message);
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  }
});

test('secrets are masked in report files, also where the format escapes their characters', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-finish-'));
  const files = await createCommandFiles(folder);
  vi.stubEnv('GITHUB_OUTPUT', files.environment['GITHUB_OUTPUT']);
  const secret = `pa"s&s<core-4711>\\x`;
  const sarif = JSON.stringify({ runs: [{ results: [{ message: { text: secret } }] }] });
  const junit = `<testcase name="${escapeXml(secret)}"/>`;
  const report = {
    title: 'Run',
    outcome: 'passed',
    headline: '',
    facts: [],
    findings: [],
    notes: [],
  } as const;
  await finishStep(
    'review',
    {
      report,
      details: { secret },
      outputs: { secret },
      files: {
        'sarif-path': { name: 'review.sarif', text: sarif },
        'junit-path': { name: 'review.xml', text: junit },
      },
    },
    {
      environment: { RUNNER_TEMP: folder },
      redact: createRedactor([secret]).text,
      log: () => {},
      command: () => {},
    },
  );
  const { outputs } = await files.read();
  expect(outputs['secret']).toBe('[secret]');
  for (const output of ['sarif-path', 'junit-path', 'report-path']) {
    const text = await readFile(outputs[output] ?? '', 'utf8');
    expect(text).toContain('[secret]');
    expect(text).not.toContain('core-4711');
  }
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test('a folder for temporary files that cannot be used is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-finish-'));
  const file = join(folder, 'file');
  await writeFile(file, '');
  const report = {
    title: 'Run',
    outcome: 'passed',
    headline: '',
    facts: [],
    findings: [],
    notes: [],
  } as const;
  const finished = finishStep(
    'run',
    { report, details: {}, outputs: {} },
    {
      environment: { RUNNER_TEMP: join(file, 'temp') },
      redact: (text) => text,
      log: () => {},
      command: () => {},
    },
  );
  await expect(finished).rejects.toMatchObject({
    code: 'storage-failed',
    where: { input: 'RUNNER_TEMP' },
    message: expect.stringContaining(`"${join(file, 'temp')}"`) as string,
  });
  await rm(folder, { recursive: true, force: true });
});

test('the runner of these tests refuses outputs above 1 MiB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-finish-'));
  const files = await createCommandFiles(folder);
  await writeFile(files.environment['GITHUB_OUTPUT'] ?? '', `message=${'x'.repeat(600_000)}\n`);
  const { errors } = await files.read();
  expect(errors[0]).toContain('Unable to process outputs');
  await rm(folder, { recursive: true, force: true });
});

test.each([
  [1, '::group::1 finding'],
  [2, '::group::2 findings'],
])('of %i findings the log speaks in the right number', async (count, line) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-finish-'));
  vi.stubEnv('GITHUB_OUTPUT', (await createCommandFiles(folder)).environment['GITHUB_OUTPUT']);
  const findings = Array.from({ length: count }, () => finding());
  const commands: string[] = [];
  const headline = 'It failed.';
  const report = { title: 'Review', outcome: 'failed', headline, facts: [], findings, notes: [] } as const;
  await finishStep(
    'review',
    { report, details: {}, outputs: {} },
    {
      environment: { RUNNER_TEMP: folder },
      redact: (text) => text,
      log: () => {},
      command: (one) => void commands.push(one),
    },
  );
  expect(commands).toContain(line);
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test('each step of a process writes its own job summary', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-finish-'));
  try {
    const none = { facts: [], findings: [], notes: [] };
    for (const headline of ['The first.', 'The second.']) {
      const files = await createCommandFiles(folder);
      for (const [name, file] of Object.entries(files.environment)) vi.stubEnv(name, file);
      await finishStep(
        'run',
        { report: { title: 'Run', outcome: 'passed', headline, ...none }, details: {}, outputs: {} },
        {
          environment: { RUNNER_TEMP: folder, ...files.environment },
          redact: (text) => text,
          log: () => {},
          command: () => {},
        },
      );
      const { summary, errors } = await files.read();
      expect([summary.match(/The \w+\./gu), errors]).toEqual([[headline], []]);
    }
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  }
});
