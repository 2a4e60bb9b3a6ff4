import { afterEach, beforeEach, expect, test } from 'vitest';
import { CodeActionRequest } from 'vscode-languageserver-protocol/node';
import { copy, script } from '../../flows/data-graph/small-projects.ts';
import { type ReviewProject, reviewProject } from '../../flows/review/review-project.ts';
import { type Editor, startEditor } from './editor.ts';

const writer = copy('ORDERS', ['ID', 'AMOUNT'], 'SALES');
const renamed = copy('ORDERS', ['ID', 'AMOUNT'], 'SALES', ['ID', 'TOTAL']);
const reader = copy('SALES', ['ID', 'AMOUNT'], 'REPORT');
const missing = /^7:\d+ the column "AMOUNT" was not found in the table .*SALES/;
const created =
  /^14:5 This table does not have what b \(b\.tran\.yaml:7\) reads: the column "AMOUNT" was not found/;

let project: ReviewProject;
let editor: Editor;

beforeEach(async () => {
  project = reviewProject();
  project.write('millrace.yaml', 'version: 1\n');
  project.write('setup.orch.yaml', script('create or replace table ORDERS (ID number, AMOUNT number);'));
  project.write('a.tran.yaml', writer);
  project.write('b.tran.yaml', reader);
  project.commit('A project');
  editor = await startEditor(project.directory);
});
afterEach(async () => {
  await editor[Symbol.asyncDispose]();
  project[Symbol.dispose]();
});

test('a column that an edit takes away is shown at its reader and where the table is created, until it is back', async () => {
  await editor.open('a.tran.yaml', writer);
  await editor.open('b.tran.yaml', reader);
  await editor.change('a.tran.yaml', 2, [{ text: renamed }]);
  const isFound = (form: RegExp) => (lines: readonly string[]) => lines.some((line) => form.test(line));
  await editor.until('b.tran.yaml', isFound(missing));
  await editor.until('a.tran.yaml', isFound(created));

  // No comment suppresses such a finding.
  const all = { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } };
  const diagnostics = editor.published.findLast(({ uri }) => uri === editor.uri('b.tran.yaml'))?.diagnostics;
  const actions = await editor.connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri: editor.uri('b.tran.yaml') },
    range: all,
    context: { diagnostics: (diagnostics ?? []).filter(({ code }) => code === 'compile/missing-column') },
  });
  expect(actions ?? []).toEqual([]);

  await editor.change('a.tran.yaml', 3, [{ text: writer }]);
  const isGone = (form: RegExp) => (lines: readonly string[]) => !lines.some((line) => form.test(line));
  await editor.until('b.tran.yaml', isGone(missing));
  await editor.until('a.tran.yaml', isGone(created));
});

test('what changes on disk counts after a save; compile.enabled and compile.accept apply', async () => {
  const isFound = (lines: readonly string[]) => lines.some((line) => missing.test(line));
  await editor.open('b.tran.yaml', reader);
  expect(await editor.findings('b.tran.yaml', 1)).toBeDefined();
  project.write('a.tran.yaml', renamed);
  await editor.close('b.tran.yaml');
  await editor.open('b.tran.yaml', reader);
  await editor.until('b.tran.yaml', isFound);

  const accept = 'version: 1\ncompile:\n  accept: [{ column: AMOUNT, reason: Later., until: 9999-12-31 }]\n';
  await editor.open('millrace.yaml', accept);
  await editor.until('b.tran.yaml', (lines) => !isFound(lines));
  await editor.change('millrace.yaml', 2, [{ text: 'version: 1\n' }]);
  await editor.until('b.tran.yaml', isFound);
  await editor.change('millrace.yaml', 3, [{ text: 'version: 1\ncompile: { enabled: false }\n' }]);
  await editor.until('b.tran.yaml', (lines) => !isFound(lines));
});
