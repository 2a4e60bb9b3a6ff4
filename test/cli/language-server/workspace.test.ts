import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  DefinitionRequest,
  DidChangeWorkspaceFoldersNotification,
} from 'vscode-languageserver-protocol/node';
import { openWorkspaceFolders } from '../../../cli/language-server/workspace-folders.ts';
import { temporaryRepository, type TemporaryRepository } from '../../lib/git/temporary-repository.ts';
import { startEditor } from './editor.ts';

const settings = 'version: 2\n';

let work: TemporaryRepository;
let elsewhere: string;
beforeEach(() => {
  work = temporaryRepository();
  work.write('millrace.yaml', settings);
  work.commit('first');
  elsewhere = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-folder-')));
});
afterEach(() => {
  work[Symbol.dispose]();
  rmSync(elsewhere, { recursive: true, force: true });
});

const folder = (at: string) => ({ uri: pathToFileURL(at).href, name: 'project' });

test('a folder that is added while its document is open is checked, and a removed one is not', async () => {
  await using editor = await startEditor(work.directory, { workspace: elsewhere });
  await editor.open('millrace.yaml', settings);
  await editor.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, {
    event: { added: [folder(work.directory)], removed: [] },
  });
  expect(await editor.findings('millrace.yaml', 1)).not.toEqual([]);
  // As another spelling of the same folder.
  await editor.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, {
    event: { added: [], removed: [{ uri: `${folder(work.directory).uri}/`, name: 'project' }] },
  });
  const before = editor.published.length;
  await editor.change('millrace.yaml', 2, [{ text: `${settings}# more\n` }]);
  const position = { line: 0, character: 0 };
  const textDocument = { uri: editor.uri('millrace.yaml') };
  const asked = editor.connection.sendRequest(DefinitionRequest.type, { textDocument, position });
  await expect(asked).rejects.toThrow('not a file in a workspace folder');
  expect(editor.published.at(-1)).toMatchObject({ uri: editor.uri('millrace.yaml'), diagnostics: [] });
  expect(editor.published.filter(({ version }) => version === 2)).toEqual([]);
  expect(editor.published.length).toBeLessThanOrEqual(before + 1);
});

test.each([
  ['no workspace folder and a root', () => ({ workspaceFolders: [], rootUri: folder(work.directory).uri })],
  ['a root alone', () => ({ rootUri: folder(work.directory).uri })],
  ['a path of the root alone', () => ({ rootPath: work.directory })],
  ['an empty root and its path', () => ({ rootUri: null, rootPath: work.directory })],
])('an editor that names %s gets the findings', async (_, named) => {
  mkdirSync(path.join(elsewhere, 'in'));
  expect(openWorkspaceFolders({ rootUri: null, ...named() }, elsewhere).list()).toEqual([work.directory]);
});

test.each([{}, { rootUri: null }, { workspaceFolders: [] }, { workspaceFolders: null, rootPath: null }])(
  'an editor that names no folder (%j) gets that in which the server was started',
  (named) => {
    expect(openWorkspaceFolders(named, elsewhere).list()).toEqual([elsewhere]);
  },
);

test('a folder behind a symbolic link is removed by either name', () => {
  const link = path.join(elsewhere, 'link');
  symlinkSync(work.directory, link);
  const folders = openWorkspaceFolders({ workspaceFolders: [folder(link)] }, elsewhere);
  expect(folders.list()).toEqual([work.directory]);
  folders.change({ added: [], removed: [folder(work.directory)] });
  expect(folders.list()).toEqual([]);
});

describe('after a message that cannot be read', () => {
  test.each([
    [
      'a header without a length',
      'Content-Type: x\r\n\r\n{"jsonrpc":"2.0"}',
      'a header without a Content-Length',
    ],
    ['a length that is not a number', 'Content-Length: many\r\n\r\n{}', 'a header without a Content-Length'],
    ['a line that is not a header', 'hello\r\n\r\n', 'a header that is not made of lines'],
    ['a very long message', 'Content-Length: 99999999999\r\n\r\n{}', 'a message of 99999999999 bytes'],
    ['a message that is not JSON', 'Content-Length: 3\r\n\r\n{a}', 'a message that is not JSON'],
  ])('(%s) the server answers the next one, and says what the editor sent', async (_, bytes, problem) => {
    await using editor = await startEditor(work.directory, {
      named: { rootUri: folder(work.directory).uri },
    });
    editor.write(bytes);
    await editor.open('millrace.yaml', settings);
    expect(await editor.findings('millrace.yaml', 1)).not.toEqual([]);
    const { code, stderr } = await editor.end();
    expect(code).toBe(0);
    expect(stderr).toContain(`The editor sent ${problem}`);
    expect(stderr).not.toContain('defect of Millrace');
  });
});

test('settings that a sparse check-out leaves out are the ones of git’s index', async () => {
  work.write(
    'millrace.yaml',
    'version: 1\nreview: { checks: { unknown-call: error } }\ncompile: { enabled: false }\n',
  );
  const text = `pipeline:
  components:
    Start: { type: start, transitions: { success: [Run] } }
    Run: { type: run-orchestration, parameters: { orchestrationJob: missing } }
`;
  work.write('a.orch.yaml', text);
  work.commit('Settings');
  work.git('sparse-checkout', 'set', '--no-cone', '/*', '!/millrace.yaml');
  await using editor = await startEditor(work.directory);
  await editor.open('a.orch.yaml', text);
  expect(await editor.findings('a.orch.yaml', 1)).toEqual([
    '4:69 The component "Run" calls "missing", which does not exist.',
  ]);
});
