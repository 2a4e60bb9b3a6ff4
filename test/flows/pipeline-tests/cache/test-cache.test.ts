import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { digestOf } from '../../../../flows/pipeline-tests/cache/stored-reads.ts';
import { cachedProject, type CachedProject, projectFiles, reader } from './cached-project.ts';
import { editAtRandom } from './random-edits.ts';

const all = ['caller', 'plain one', 'plain two', 'csv', 'typed'];
const cachedBut = (others: Readonly<Record<string, string>>) =>
  all.map((name) => `${name}: ${others[name] ?? 'cached'}`);

test('a test that passed runs again only after a change of what it reads', async () => {
  using project = cachedProject(projectFiles);
  expect(await project.statuses()).toEqual(all.map((name) => `${name}: passed`));
  expect(await project.statuses()).toEqual(cachedBut({}));
  const plain = { 'plain one': 'passed', 'plain two': 'passed' };
  const edits: readonly (readonly [file: string, text: string, ran: Readonly<Record<string, string>>])[] = [
    ['unused.tran.yaml', reader('OTHER'), {}],
    ['plain.tran.yaml', `# changed\n${projectFiles['plain.tran.yaml']}`, plain],
    ['plain.test.yaml', `# changed\n${projectFiles['plain.test.yaml']}`, plain],
    ['tests/data/rows.csv', 'ID\n1\n\n', { csv: 'passed' }],
    ['tests/data/rows.csv', 'ID\n2\n', { csv: 'failed' }],
    // A failed test runs each time.
    ['unused.tran.yaml', reader('MORE'), { csv: 'failed' }],
    ['tests/data/rows.csv', 'ID\n1\n', { csv: 'passed' }],
    ['called.tran.yaml', reader('CALLED').replace('COPY', 'ELSE'), { caller: 'failed' }],
    // Back as it was when it passed.
    ['called.tran.yaml', reader('CALLED'), {}],
    ['sql/script.sql', 'update COPY set ID = ID + 1;', { caller: 'failed' }],
    ['sql/script.sql', projectFiles['sql/script.sql'], {}],
    ['create.orch.yaml', projectFiles['create.orch.yaml'].replace('NUMBER', 'VARCHAR'), { typed: 'failed' }],
  ];
  for (const [file, text, ran] of edits) {
    project.write(file, text);
    expect([file, await project.statuses()]).toEqual([file, cachedBut(ran)]);
  }
  project.write('create.orch.yaml', projectFiles['create.orch.yaml']);
  await project.results();
  const everything = all.map((name) => `${name}: passed`);
  project.write('new.tran.yaml', reader('NEW'));
  expect(await project.statuses()).toEqual(everything);
  project.write('millrace.yaml', 'version: 1\nengine: { warehouse: WAREHOUSE_TWO }\n');
  expect((await project.statuses()).some((status) => status.endsWith('cached'))).toBe(false);
  project.write('millrace.yaml', 'version: 1\n');
  await project.results();
  expect(await project.statuses({ program: 'other' })).toEqual(everything);
});

test('a test that runs on its own keeps what the others of its file have read', async () => {
  using project = cachedProject({
    'a.tran.yaml': reader('A'),
    'a.test.yaml':
      'pipeline: a\ntests:\n' +
      '  - { name: one, given: { A: { file: one.csv } }, expect: { tables: { COPY: { rows: [{ ID: 1 }] } } } }\n' +
      '  - { name: two, given: { A: { file: two.csv } }, expect: { tables: { COPY: { rows: [{ ID: 2 }] } } } }\n',
    'one.csv': 'ID\n1\n',
    'two.csv': 'ID\n3\n',
  });
  expect(await project.statuses()).toEqual(['one: passed', 'two: failed']);
  project.write('two.csv', 'ID\n2\n');
  await project.results();
  expect(await project.statuses()).toEqual(['one: cached', 'two: cached']);
  project.write('one.csv', 'ID\n9\n');
  expect((await project.statuses())[0]).toBe('one: failed');
});

test('a file that was missing when a test passed makes it run again when it appears', async () => {
  using project = cachedProject({
    'a.tran.yaml': reader('A'),
    'caller.orch.yaml': projectFiles['caller.orch.yaml'],
    'called.tran.yaml': projectFiles['called.tran.yaml'],
    'caller.test.yaml':
      'pipeline: caller\ntests: [{ name: fails, given: { CALLED: { rows: [{ ID: 1 }] } }, expect: { outcome: { failure: { component: Script } } } }]\n',
  });
  expect(await project.statuses()).toEqual(['fails: passed']);
  expect(await project.statuses()).toEqual(['fails: cached']);
  project.write('sql/script.sql', 'select 1;');
  expect(await project.statuses()).toEqual(['fails: failed']);
});

/** What can be wrong with an entry. Each one is written with a digest that fits, if it could be. */
const damages: Readonly<Record<string, (text: string) => string>> = {
  empty: () => '',
  truncated: (text) => text.slice(0, -10),
  'cut after the digest': (text) => text.slice(0, text.indexOf('\n') + 1),
  'without its digest': contentOf,
  'an edited name': (text) => text.replace('plain one', 'plain two'),
  'an edited digest': (text) => `${text.startsWith('0') ? '1' : '0'}${text.slice(1)}`,
  'of another program': (text) => withDigest(contentOf(text).replace('"one"', '"two"')),
  'of another file': (text) =>
    withDigest(contentOf(text).replace('"file":"plain.test.yaml"', '"file":"x.test.yaml"')),
  'a list': () => withDigest('[]'),
  'not JSON': () => withDigest('{"passed":'),
  'other fields': (text) => withDigest(contentOf(text).replace('{', '{"status":"passed",')),
  'another place in the list': (text) =>
    withDigest(contentOf(text).replaceAll('"index":0', '"index":7').replaceAll('"index":1', '"index":8')),
};

function contentOf(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}

function withDigest(content: string): string {
  return `${digestOf(content)}\n${content}`;
}

test.each(Object.keys(damages))('an entry that is %s counts as none', async (name) => {
  using project = cachedProject({
    'plain.tran.yaml': projectFiles['plain.tran.yaml'],
    'plain.test.yaml': projectFiles['plain.test.yaml'],
  });
  const passes = ['plain one: passed', 'plain two: passed'];
  expect(await project.statuses()).toEqual(passes);
  damage(project, damages[name] ?? String);
  expect(await project.statuses()).toEqual(passes);
  expect(await project.statuses()).toEqual(['plain one: cached', 'plain two: cached']);
});

function damage(project: CachedProject, change: (text: string) => string): void {
  const entries = project.entries();
  expect(entries).toHaveLength(1);
  for (const entry of entries) {
    const file = path.join(project.cache, entry);
    const text = readFileSync(file, 'utf8');
    const other = change(text);
    expect(other).not.toBe(text);
    writeFileSync(file, other);
  }
}

test('a folder that cannot be written is reported once, and the tests run', async () => {
  using project = cachedProject(projectFiles);
  writeFileSync(path.join(project.cache, digestOf(project.directory).slice(0, 16)), '');
  await expect(project.results()).rejects.toThrow(/EEXIST|ENOTDIR/);
});

test('after random edits, each result of the cache is the result of a run', async () => {
  expect(await editAtRandom({ seed: 45, edits: 20 })).toBeGreaterThan(20);
});

test('results of a project that nobody has used for 30 days are removed', async () => {
  using project = cachedProject({
    'plain.tran.yaml': projectFiles['plain.tran.yaml'],
    'plain.test.yaml': projectFiles['plain.test.yaml'],
  });
  const day = 24 * 60 * 60 * 1000;
  const start = Date.UTC(2026, 0, 1);
  await project.results({ now: start });
  const old = project.entries().map((entry) => path.dirname(entry));
  for (const folder of old) {
    renameSync(path.join(project.cache, folder), path.join(project.cache, 'other'));
    renameSync(path.join(project.cache, `${folder}.used`), path.join(project.cache, 'other.used'));
  }
  await project.results({ now: start + 29 * day });
  expect(project.entries()).toHaveLength(2);
  project.write('plain.tran.yaml', `# changed\n${projectFiles['plain.tran.yaml']}`);
  await project.results({ now: start + 31 * day });
  expect(project.entries().map((entry) => path.dirname(entry))).toEqual(old);
});
