import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReviewProject, reviewProject } from '../flows/review/review-project.ts';
import { inProcess } from './in-process.ts';

/** Each format escapes other characters of it. */
const core = 'secret-core-4711';
const token = `pa"s&s<${core}>'x\\y`;

const written = JSON.stringify(token);
const orchestration = `type: orchestration
version: '1.0'
pipeline: { components: { ${written}: { type: start } } }
`;
const transformation = `type: transformation
version: '1.0'
pipeline:
  components:
    Read: { type: table-input, parameters: { targetTable: ORDERS, columnNames: [ID] } }
    Write: { type: rewrite-table, sources: [Read], parameters: { targetTable: COPIES } }
`;
const testFile = `pipeline: copy
tests:
  - name: ${written}
    given: { ORDERS: { rows: [{ ID: ${written} }] } }
    expect: { tables: { COPIES: { rows: [{ ID: other }] } } }
`;

let project: ReviewProject;
beforeAll(() => {
  project = reviewProject();
  project.write('millrace.yaml', 'version: 1\nreview: { scope: all }\n');
  project.write('load.orch.yaml', orchestration);
  project.write('copy.tran.yaml', transformation);
  project.write('copy.test.yaml', testFile);
  project.commit('A project with a secret in its files');
});
afterAll(() => project[Symbol.dispose]());

const run = (...args: string[]) =>
  inProcess(args, {
    cwd: project.directory,
    env: { PATH: process.env.PATH ?? '', MILLRACE_TOKEN: token },
  });

test.each(['text', 'json', 'sarif', 'markdown', 'gitlab', 'junit'])(
  'a review in the format %s masks a secret, on standard output and in a file',
  async (format) => {
    const printed = await run('review', '--local', '--format', format);
    expect([printed.code, printed.stdout]).toEqual([1, expect.stringContaining('[secret]')]);
    expect(printed.stdout + printed.stderr).not.toContain(core);
    const file = `report.${format}`;
    await run('review', '--local', '--format', format, '--output-file', file);
    const content = readFileSync(path.join(project.directory, file), 'utf8');
    expect(content).toContain('[secret]');
    expect(content).not.toContain(core);
  },
);

test.each(['text', 'json', 'junit', 'markdown'])('a test in the format %s masks a secret', async (format) => {
  const { code, stdout, stderr } = await run('test', '--format', format);
  expect([code, stdout]).toEqual([1, expect.stringContaining('[secret]')]);
  expect(stdout + stderr).not.toContain(core);
});
