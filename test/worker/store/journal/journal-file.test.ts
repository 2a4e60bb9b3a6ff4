import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openJournal } from '../../../../worker/store/journal/journal-file.ts';
import { JournalUnreadable, readJournal } from '../../../../worker/store/journal/journal-lines.ts';
import { openStateDirectory } from '../../../../worker/store/journal/state-directory.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const word = (id: string, lane?: string) => ({ id, at: 1, lane, what: `hold by ada: ${id}` });

async function written(...ids: readonly string[]): Promise<string> {
  const file = path.join(temporaryFolder(), 'one.journal');
  const journal = await openJournal(file, 'j1');
  for (const id of ids) await journal.append(word(id, `77/p/${id}`));
  await journal.close();
  return file;
}

const idsIn = (file: string) => readJournal(readFileSync(file)).words.map(({ id }) => id);

test('a journal that is opened again has its id, its words in their order and its peers', async () => {
  const file = await written('a', 'b');
  const journal = await openJournal(file, 'another id');
  await journal.keepPeers(['j1', 'j2']);
  await journal.append(word('c'));
  await journal.close();
  expect(readJournal(readFileSync(file))).toMatchObject({
    id: 'j1',
    peers: ['j1', 'j2'],
    words: [word('a', '77/p/a'), word('b', '77/p/b'), word('c')],
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a last line that was being written does not count, and the next word takes its place', async () => {
  const file = await written('a', 'b');
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, whole.length - 9));
  expect(idsIn(file)).toEqual(['a']);
  const journal = await openJournal(file, 'j1');
  await journal.append(word('c'));
  await journal.close();
  expect(idsIn(file)).toEqual(['a', 'c']);
});

test('a file whose first line was never written whole becomes a new journal', async () => {
  const file = path.join(temporaryFolder(), 'one.journal');
  writeFileSync(file, 'a1b2c3 {"kind":"jour');
  const journal = await openJournal(file, 'j1');
  await journal.append(word('a'));
  await journal.close();
  expect(readJournal(readFileSync(file))).toMatchObject({ id: 'j1', words: [word('a')] });
});

test('a changed line is a word about all lanes, the same at each start', async () => {
  const file = await written('a', 'b');
  writeFileSync(file, readFileSync(file, 'utf8').replace('77/p/a', '77/p/x'));
  const [changed] = readJournal(readFileSync(file)).words;
  expect(changed).toMatchObject({ lane: undefined, what: 'a line of the journal that cannot be read' });
  expect(idsIn(file)).toEqual([changed?.id, 'b']);
});

test('a journal that grows keeps its newest words, and one line for those before', async () => {
  const file = path.join(temporaryFolder(), 'one.journal');
  const journal = await openJournal(file, 'j1', { maxLines: 8, keptWords: 3 });
  for (let i = 1; i <= 20; i += 1) await journal.append(word(String(i), '77/p/a'));
  await journal.close();
  const { words, lines } = readJournal(readFileSync(file));
  expect(lines).toBeLessThanOrEqual(8);
  expect(words.at(-1)).toEqual(word('20', '77/p/a'));
  const [oldest, next] = words;
  expect(oldest).toMatchObject({ lane: undefined, what: 'actions from before the journal was shortened' });
  expect(Number(next?.id)).toBe(Number(oldest?.id) + 1);
});

test('a file that is something else is not a journal', () => {
  expect(() => readJournal(Buffer.from('hello\nworld\n'))).toThrow(JournalUnreadable);
});

test('workers that share a folder have a journal each, and one of them sees what a stopped one left', async () => {
  const folder = temporaryFolder();
  const [one, other] = [await openStateDirectory(folder), await openStateDirectory(folder)];
  onTestFinished(() => other.close());
  expect(one.journal.id).not.toBe(other.journal.id);
  await one.journal.append(word('a'));
  expect(await other.left()).toEqual([]);
  await one.close();
  expect(await other.left()).toEqual([{ id: one.journal.id, words: [word('a')] }]);
  const again = await openStateDirectory(folder);
  onTestFinished(() => again.close());
  expect(again.journal.id).toBe(one.journal.id);
});

test('a state directory that cannot be used is named, with how to fix it', async () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  await expect(openStateDirectory(path.join(file, 'below'))).rejects.toMatchObject({
    code: 'state-directory',
    message: expect.stringContaining(file),
    hint: expect.stringContaining('MILLRACE_STATE_DIRECTORY'),
  });
});
