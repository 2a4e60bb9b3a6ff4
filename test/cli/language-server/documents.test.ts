import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CodeAction,
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  RenameRequest,
  type TextDocumentEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  pipelineOf,
  type ReviewProject,
  reviewProject,
  rulesPath,
} from '../../flows/review/review-project.ts';
import { type Editor, startEditor } from './editor.ts';

let project: ReviewProject;
let editor: Editor;
const settings = 'version: 1\nreview:\n  checks: { unknown-call: error }\ncompile: { enabled: false }\n';
/** What means something in YAML, and what it may stumble over. */
const oddCharacter = fc.constantFrom(...'\0\t\r\n\u2028\uD800\uFEFF|&*"\'{}[]:#%@`!>-?,é💥A'.split(''));
const position = { line: 0, character: 0 };

beforeAll(async () => {
  project = reviewProject();
  project.write('millrace.yaml', settings);
  project.write('.gitignore', 'ignored/\n');
  project.write('good.orch.yaml', pipelineOf('Start', 'Load'));
  project.write('good.test.yaml', 'pipeline: good\ntests: []\n');
  project.commit('A project');
  editor = await startEditor(path.join(project.directory, '.'));
});
afterAll(async () => {
  await editor[Symbol.asyncDispose]();
  project[Symbol.dispose]();
});

describe('the documents of an editor', () => {
  test('settings that are invalid have findings at their lines, and pipelines say that they are not reviewed', async () => {
    await editor.open('good.orch.yaml', pipelineOf('Start', 'load'));
    expect(await editor.findings('good.orch.yaml', 1)).toEqual([
      expect.stringContaining('9:5 The name of the component "load"'),
    ]);
    await editor.open('millrace.yaml', settings.replace('unknown-call', 'unknown-cal'));
    expect(await editor.findings('millrace.yaml', 1)).toEqual([expect.stringContaining('3:')]);
    await editor.change('good.orch.yaml', 2, [{ text: pipelineOf('Start', 'load') }]);
    expect(await editor.findings('good.orch.yaml', 2)).toEqual([
      expect.stringContaining('1:1 Not reviewed: millrace.yaml:3: '),
    ]);
    await editor.change('millrace.yaml', 2, [{ text: settings }]);
    expect(await editor.findings('millrace.yaml', 2)).toEqual([]);
    await editor.change('good.orch.yaml', 3, [{ text: pipelineOf('Start', 'Load') }]);
    expect(await editor.findings('good.orch.yaml', 3)).toEqual([]);
  });

  test('the rules file has the findings of a review of all pipelines, from its text in the editor', async () => {
    const rules = 'rules:\n  - { id: no-such-rule, enabled: true, enforcementLevel: error }\n';
    await editor.open(rulesPath, rules);
    expect(await editor.findings(rulesPath, 1)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^2:\d+ .*no-such-rule/)]),
    );
    await editor.close(rulesPath);
  });

  test('a test file has the problems that millrace test refuses it for', async () => {
    const text = 'pipeline: god\ntests:\n  - name: runs\n    expect: { outcome: success }\n';
    await editor.open('good.test.yaml', text);
    expect(await editor.findings('good.test.yaml', 1)).toEqual([expect.stringMatching(/^1:11 .*"god"/)]);
    await editor.change('good.test.yaml', 2, [{ text: text.replace('god', 'good') }]);
    expect(await editor.findings('good.test.yaml', 2)).toEqual([]);
  });

  test('a file that is not on disk yet is reviewed, and one that git ignores says that it is not', async () => {
    await editor.open('later/new.orch.yaml', pipelineOf('Start', 'new'));
    expect(await editor.findings('later/new.orch.yaml', 1)).toEqual([expect.stringContaining('"new"')]);
    project.write('ignored/x.orch.yaml', pipelineOf('Start', 'x'));
    await editor.open('ignored/x.orch.yaml', pipelineOf('Start', 'x'));
    expect(await editor.findings('ignored/x.orch.yaml', 1)).toEqual([
      '1:1 Not reviewed: git ignores this file.',
    ]);
  });

  test('a file of more than 4 MiB is a finding, until its text is replaced by a smaller one', async () => {
    await editor.open('large.orch.yaml', `# ${'é'.repeat(2_100_000)}\n`);
    expect(await editor.findings('large.orch.yaml', 1)).toEqual([
      expect.stringContaining('larger than 4 MiB'),
    ]);
    const textDocument = { uri: editor.uri('large.orch.yaml') };
    const completed = editor.connection.sendRequest(CompletionRequest.type, { textDocument, position });
    expect(await completed).toBeNull();
    await editor.change('large.orch.yaml', 2, [{ range: { start: position, end: position }, text: 'a' }]);
    expect(await editor.findings('large.orch.yaml', 2)).toHaveLength(1);
    await editor.change('large.orch.yaml', 3, [{ text: pipelineOf('Start', 'Load') }]);
    expect(await editor.findings('large.orch.yaml', 3)).toEqual([]);
    await editor.close('large.orch.yaml');
  });

  test('settings that are a pipe do not block the server', async () => {
    project.write('piped/x.orch.yaml', pipelineOf('Start', 'x'));
    execFileSync('mkfifo', [path.join(project.directory, 'piped/millrace.yaml')]);
    await editor.open('piped/x.orch.yaml', pipelineOf('Start', 'x'));
    expect(await editor.findings('piped/x.orch.yaml', 1)).toHaveLength(1);
    await editor.close('piped/x.orch.yaml');
    rmSync(path.join(project.directory, 'piped'), { recursive: true });
  });

  test('any text, in many changes, has findings and no defect', async () => {
    const files = ['any.orch.yaml', 'any.tran.yaml', 'any.test.yaml', 'millrace.yaml', rulesPath];
    const texts = fc.sample(fc.string({ unit: oddCharacter, maxLength: 40 }), { numRuns: 12, seed: 7 });
    for (const file of files) {
      await editor.open(file, 'pipeline:\n  components:\n    A: {}\n');
      const changes = texts.map((text, index) => {
        const at = { line: index % 3, character: index };
        return { range: { start: at, end: at }, text };
      });
      await editor.change(file, 2, changes);
    }
    for (const file of files) await editor.findings(file, 2);
    for (const file of files) await editor.close(file);
    expect(editor.stderr()).toBe('');
  });

  test('a finding has an action that adds a comment, which suppresses it once it has a reason', async () => {
    const text = pipelineOf('Start', 'load').replaceAll('\n', '\r\n');
    await editor.open('suppressed.orch.yaml', text);
    await editor.findings('suppressed.orch.yaml', 1);
    const uri = editor.uri('suppressed.orch.yaml');
    const { diagnostics } = editor.published.findLast((one) => one.uri === uri) ?? { diagnostics: [] };
    const [action] =
      (await editor.connection.sendRequest(CodeActionRequest.type, {
        textDocument: { uri },
        range: diagnostics[0]?.range ?? { start: position, end: position },
        context: { diagnostics },
      })) ?? [];
    expect(action).toMatchObject({ title: 'Suppress component-naming-convention here with a comment' });
    const { edit } = action as CodeAction;
    const [change] = (edit?.documentChanges ?? []) as TextDocumentEdit[];
    const edits = (change?.edits ?? []).flatMap((one) => ('newText' in one ? [one] : []));
    const after = TextDocument.applyEdits(TextDocument.create('', '', 0, text), edits);
    const comment = '    # millrace-ignore component-naming-convention: ';
    expect(after).toBe(text.replace('    load:', `${comment}\r\n    load:`));

    await editor.change('suppressed.orch.yaml', 2, [{ text: after }]);
    expect(await editor.findings('suppressed.orch.yaml', 2)).toHaveLength(2);
    await editor.change('suppressed.orch.yaml', 3, [{ text: after.replace(comment, `${comment}Agreed`) }]);
    expect(await editor.findings('suppressed.orch.yaml', 3)).toEqual([]);
    await editor.close('suppressed.orch.yaml');
  });

  test('documents outside of the workspace folders are refused, also through a symbolic link', async () => {
    const outside = reviewProject();
    outside.write('secret.orch.yaml', pipelineOf('Start', 'x'));
    symlinkSync(outside.directory, path.join(project.directory, 'link'));
    for (const file of [`../${path.basename(outside.directory)}/secret.orch.yaml`, 'link/secret.orch.yaml']) {
      await editor.open(file, pipelineOf('Start', 'x'));
      const asked = editor.connection.sendRequest(DefinitionRequest.type, {
        textDocument: { uri: editor.uri(file) },
        position,
      });
      await expect(asked).rejects.toThrow('not a file in a workspace folder');
    }
    const other = { textDocument: { uri: 'untitled:one' }, position };
    await expect(editor.connection.sendRequest(CompletionRequest.type, other)).rejects.toThrow('not a file');
    expect(editor.published.map(({ uri }) => uri).filter((uri) => uri.includes('secret'))).toEqual([]);
    rmSync(path.join(project.directory, 'link'));
    outside[Symbol.dispose]();
  });

  test('a request that the editor cancels has no result, and the server answers the next one', async () => {
    await editor.open('cancelled.orch.yaml', pipelineOf('Start', 'Load'));
    const request = { textDocument: { uri: editor.uri('cancelled.orch.yaml') }, position };
    // Both messages arrive together: the answer cannot be faster than the cancel.
    const answer = await editor.sendTogether('cancelled', [
      { method: CompletionRequest.method, id: 'cancelled', params: request },
      { method: '$/cancelRequest', params: { id: 'cancelled' } },
    ]);
    expect(answer).toMatchObject({ error: { code: -32800 } });
    expect(await editor.connection.sendRequest(DefinitionRequest.type, request)).toBeNull();
  });

  test('a rename that is not safe is an error that says why, and changes nothing', async () => {
    await editor.open('renamed.orch.yaml', pipelineOf('Start', 'Load'));
    const textDocument = { uri: editor.uri('renamed.orch.yaml') };
    const at = { textDocument, position: { line: 4, character: 6 } };
    const rename = (newName: string) => editor.connection.sendRequest(RenameRequest.type, { ...at, newName });
    await expect(rename('Load')).rejects.toThrow('The pipeline has another component "Load".');
    await expect(rename(' ')).rejects.toThrow('A component needs a name.');
  });
});
