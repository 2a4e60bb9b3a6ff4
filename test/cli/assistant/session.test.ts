import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pipelineOf, type ReviewProject, reviewProject } from '../../flows/review/review-project.ts';
import { type Assistant, startAssistant } from './assistant.ts';

const secret = 'a-very-secret-token-0123456789';
const pipeline = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions:
        unconditional: ["${secret}"]
    ${secret}:
      type: "end-success"
`;
const tests = `pipeline: main
tests:
  - name: it succeeds
    expect: { ran: [Start] }
`;

let project: ReviewProject;
let assistant: Assistant;
/** Without a demo, which the commands of its user would find. */
let temporary: string;

beforeAll(async () => {
  project = reviewProject();
  project.write('main.orch.yaml', pipeline);
  project.write('main.test.yaml', tests);
  project.commit('A project');
  temporary = mkdtempSync(join(tmpdir(), 'millrace-assistant-'));
  assistant = await startAssistant(project.directory, {
    TMPDIR: temporary,
    MILLRACE_BASE_URL: 'http://127.0.0.1:9',
    MILLRACE_TOKEN: secret,
  });
});
afterAll(async () => {
  await assistant[Symbol.asyncDispose]();
  project[Symbol.dispose]();
  rmSync(temporary, { recursive: true });
});

describe('millrace mcp, with the client of the SDK', () => {
  test('lists ten tools that only read, each with the schema of its input', async () => {
    const { tools } = await assistant.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'review',
      'test',
      'diff',
      'compile',
      'affected',
      'lineage',
      'graph',
      'lanes',
      'promotions',
      'executions',
    ]);
    for (const { inputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(description).toMatch(/\.$/);
    }
    expect(tools.at(-1)?.inputSchema).toMatchObject({ required: ['execution'] });
  });

  test('review, test, diff, compile, affected and graph return what the commands return, with secrets masked', async () => {
    const review = await assistant.call('review', { files: ['main.orch.yaml'] });
    expect(review.json).toMatchObject({
      outcome: 'failed',
      findings: [{ rule: 'component-naming-convention', file: 'main.orch.yaml', line: 9 }],
    });
    expect(review.text).not.toContain(secret);
    expect((await assistant.call('review', { commit: 'HEAD', scope: 'all' })).json).toMatchObject({
      reviewedFrom: 'commit',
    });
    expect((await assistant.call('test', { filter: 'succeeds' })).json).toMatchObject({
      passed: 1,
      tests: [{ name: 'it succeeds', status: 'passed' }],
    });
    expect((await assistant.call('diff', { base: 'HEAD' })).json).toMatchObject({ base: { name: 'HEAD' } });
    expect((await assistant.call('compile', { base: 'HEAD' })).json).toMatchObject({
      findings: [],
      pipelines: 1,
    });
    expect((await assistant.call('affected', {})).json).toMatchObject({ changed: [] });
    expect(await assistant.call('lineage', { name: 'NOWHERE' })).toMatchObject({ isError: true });
    const graph = await assistant.call('graph', { around: 'main' });
    expect(graph.json).toMatchObject({ nodes: [{ name: 'main.orch.yaml', worst: 'error' }] });
  });

  test('files are relative to the project, wherever the client started the server', async () => {
    using other = reviewProject();
    other.write('warehouse/millrace.yaml', 'version: 1\n');
    other.write('warehouse/daily/a.orch.yaml', pipeline);
    other.commit('A project in a folder');
    const folder = join(other.directory, 'warehouse', 'daily');
    await using started = await startAssistant(folder, { TMPDIR: temporary });
    const { json } = await started.call('review', { files: ['daily/a.orch.yaml'] });
    expect(json).toMatchObject({ reviewed: ['warehouse/daily/a.orch.yaml'] });
  });

  test('an error of a tool says what failed, where, and how to fix it', async () => {
    const missing = await assistant.call('review', { commit: 'never-there' });
    expect(missing).toMatchObject({ isError: true });
    expect(missing.text).toMatch(/never-there.*\n {2}how to fix: .+\n {2}code: git-failed$/s);
    const worker = await assistant.call('lanes');
    expect(worker.text).toMatch(/^MILLRACE_WORKER_URL: .+\n {2}how to fix: .+\n {2}code: usage$/s);
    expect(await assistant.call('review', { fix: true })).toMatchObject({ isError: true });
    expect(await assistant.call('executions', {})).toMatchObject({ isError: true });
  });

  test('an error names the command that fixes it as npx started the server', async () => {
    using empty = reviewProject();
    empty.write('load.orch.yaml', pipeline);
    await using started = await startAssistant(empty.directory, { TMPDIR: temporary, npm_command: 'exec' });
    expect((await started.call('test')).text).toContain(
      'let `npx millrace test --init <pipeline>` write one',
    );
  });

  test('no input is an option: nothing is written', async () => {
    project.write(
      'main.orch.yaml',
      pipeline.replace('end-success"', 'end-success"\n      transitions: { success: [] }'),
    );
    const before = project.git('status', '--porcelain');
    for (const files of [['--fix'], ['--update-baseline'], ['--help'], ['main.orch.yaml', '--fix']])
      expect(await assistant.call('review', { files })).toMatchObject({ isError: true });
    for (const files of [['--update'], ['--init', 'main.orch.yaml'], ['--watch']])
      expect(await assistant.call('test', { files })).toMatchObject({ isError: true });
    expect(await assistant.call('review', { scope: 'all --fix' })).toMatchObject({ isError: true });
    expect(await assistant.call('graph', { around: '--format' })).toMatchObject({ isError: true });
    expect(await assistant.call('lanes', { lane: '--follow' })).toMatchObject({ isError: true });
    expect(project.git('status', '--porcelain')).toBe(before);
  });

  test('a result of more than 100,000 characters has fewer items, and says how many there are', async () => {
    const names = Array.from({ length: 1500 }, (_, index) => `component_${index}`);
    project.write('large.orch.yaml', pipelineOf('Start', ...names));
    const { text, json } = await assistant.call('review', { files: ['large.orch.yaml'] });
    expect(text.length).toBeLessThanOrEqual(100_000);
    expect(json).toMatchObject({
      shortened: [{ path: 'findings', of: 1500 }],
      result: { outcome: 'failed', counts: { error: 1500 } },
    });
  });
});
