import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  CompletionRequest,
  DefinitionRequest,
  PrepareRenameRequest,
  RenameRequest,
  type TextDocumentEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type ReviewProject, reviewProject } from '../../flows/review/review-project.ts';
import { inProcess } from '../in-process.ts';
import { type Editor, startEditor } from './editor.ts';

const main = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions:
        unconditional: ["Load all"]
    "Load all":
      type: "run-transformation"
      parameters:
        componentName: "Load all"
        transformationJob: "daily/load"
        setScalarVariables:
        - ["day", "\${day}"]
  variables:
    day:
      metadata: { type: "TEXT" }
`;
const load = `type: "transformation"
version: "1.0"
pipeline:
  components:
    Orders: { type: "table-input" }
    Out: { type: "rewrite-table", sources: ["Orders"] }
`;

let project: ReviewProject;
let editor: Editor;

beforeEach(async () => {
  project = reviewProject();
  project.write(
    'millrace.yaml',
    'version: 1\nreview:\n  checks: { unknown-call: error, dangling-reference: error }\ncompile: { enabled: false }\n',
  );
  project.write('main.orch.yaml', main);
  project.write('daily/load.tran.yaml', load);
  project.commit('A project');
  editor = await startEditor(project.directory, { ownProcess: true });
});
afterEach(async () => {
  await editor[Symbol.asyncDispose]();
  project[Symbol.dispose]();
});

/** The position of a text in another one, and a few characters into it. */
function positionOf(text: string, part: string, into = 1) {
  return TextDocument.create('', '', 0, text).positionAt(text.indexOf(part) + into);
}

describe('millrace lsp, over the protocol', () => {
  test('a session: findings of unsaved text, completion, definition and rename', async () => {
    await editor.open('main.orch.yaml', main);
    expect(await editor.findings('main.orch.yaml', 1)).toEqual([]);

    // Incremental: one word of the text.
    const start = positionOf(main, '"daily/load"', 7);
    const range = { start, end: { ...start, character: start.character + 4 } };
    await editor.change('main.orch.yaml', 2, [{ range, text: 'lood' }]);
    const unsaved = main.replace('daily/load', 'daily/lood');
    const expected =
      '13:28 The component "Load all" calls "daily/lood", which does not exist. Did you mean "daily/load"?';
    expect(await editor.findings('main.orch.yaml', 2)).toEqual([expected]);

    // The same finding as the command has, once the text is saved.
    project.write('main.orch.yaml', unsaved);
    const review = await inProcess(['review', '--local', '--working-tree', 'main.orch.yaml', '--json'], {
      cwd: project.directory,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const { findings } = JSON.parse(review.stdout) as { findings: { line: number; message: string }[] };
    expect(findings.map(({ line, message }) => `${line}:28 ${message}`)).toEqual([expected]);

    const textDocument = { uri: editor.uri('main.orch.yaml') };
    const { connection } = editor;
    const completed = await connection.sendRequest(CompletionRequest.type, {
      textDocument,
      position: positionOf(unsaved, 'daily/lood', 6),
    });
    expect(completed).toMatchObject({ isIncomplete: false, items: [{ label: 'daily/load' }] });

    const component = { textDocument, position: positionOf(unsaved, '"Load all"]', 3) };
    const [line, character] = [8, 4];
    expect(await connection.sendRequest(DefinitionRequest.type, component)).toMatchObject({
      uri: textDocument.uri,
      range: { start: { line, character } },
    });
    expect(await connection.sendRequest(PrepareRenameRequest.type, component)).toMatchObject({
      placeholder: 'Load all',
    });
    const renamed = await connection.sendRequest(RenameRequest.type, { ...component, newName: 'Load: #1' });
    const [change] = (renamed?.documentChanges ?? []) as TextDocumentEdit[];
    expect(change?.textDocument).toEqual({ ...textDocument, version: 2 });
    const document = TextDocument.create('', '', 0, unsaved);
    const edits = (change?.edits ?? []).flatMap((edit) => ('newText' in edit ? [edit] : []));
    expect(TextDocument.applyEdits(document, edits)).toBe(unsaved.replaceAll('Load all', 'Load: #1'));

    expect(await editor.end()).toEqual({ code: 0, stderr: '' });
  });
});
