import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReviewReport } from '../../../../flows/review/scope/review-request.ts';
import { openWorkCopy } from '../../../../lib/git/work-tree/work-copy.ts';
import { type ReviewProject, reviewProject, rulesPath } from '../review-project.ts';

const component = (type: string, parameters: readonly string[]) =>
  ['pipeline:', '  components:', '    Run:', `      type: ${type}`, '      parameters:']
    .concat(parameters.map((line) => `        ${line}`))
    .join('\n');
const called = (variables: string) =>
  `pipeline:\n  components: { Start: { type: start } }\n  variables:\n${variables}`;
const variable = (name: string, type = 'TEXT', visibility = 'PUBLIC') =>
  `    ${name}: { metadata: { type: ${type}, visibility: ${visibility} } }\n`;
const shared = (entries: string) => `type: shared-pipelines-config\npipelines:\n${entries}`;

const checks = {
  'unknown-call': 'error',
  'passed-variable': 'error',
  'missing-file': 'error',
  'shared-pipelines-file': 'error',
  'call-cycle': 'error',
} as const;

let project: ReviewProject;
beforeEach(() => {
  project = reviewProject();
  project.write(rulesPath, 'rules: []\n');
});
afterEach(() => project[Symbol.dispose]());

const linesOf = ({ findings }: ReviewReport) =>
  findings.map(({ file, line, message }) => `${file}:${line} ${message}`).toSorted();
const review = async (more: object = {}) => linesOf(await project.review({ checks, ...more }));
/** What a review of the newest commit, as a change, finds. */
const reviewChange = (more: object = {}) =>
  review({ scope: 'changed', base: project.git('rev-parse', 'HEAD~1'), ...more });

describe('passed-variable', () => {
  const pass = (...rows: string[]) => component('run-orchestration', ['orchestrationJob: b', ...rows]);

  test.each([
    ['a name that the pipeline does not declare', '[no, 1]', 'which does not declare it'],
    ['a private variable', '[own, 1]', 'where it is private'],
    ['a text for a number', '[count, many]', 'where it is a number and cannot be "many"'],
    ['a value for a grid', '[rows, 1]', 'where it is a grid: pass it in setGridVariables'],
  ])('%s is refused at its line', async (_, row, reason) => {
    project.write('a.orch.yaml', pass('setScalarVariables:', '  - [day, x]', `  - ${row}`));
    const variables = [variable('day'), variable('own', 'TEXT', 'PRIVATE'), variable('count', 'NUMBER')];
    project.write('b.orch.yaml', called([...variables, variable('rows', 'GRID')].join('')));
    project.commit('A project');
    const name = /\w+/.exec(row)?.[0];
    expect(await review()).toEqual([
      `a.orch.yaml:9 The component "Run" passes the variable "${name}" to "b.orch.yaml", ${reason}.`,
    ]);
  });

  test('a grid for a variable that is not a grid, or that is not declared, is refused', async () => {
    const grid = (name: string) => `  - { variable: ${name}, status: values, gridValues: [[1]] }`;
    project.write('a.orch.yaml', pass('setGridVariables:', grid('day'), grid('rows'), grid('no')));
    project.write('b.orch.yaml', called(variable('day') + variable('rows', 'GRID')));
    project.commit('A project');
    expect(await review()).toEqual([
      'a.orch.yaml:10 The component "Run" passes the variable "no" to "b.orch.yaml", which does not declare it.',
      'a.orch.yaml:8 The component "Run" passes the variable "day" to "b.orch.yaml", where it is not a grid.',
    ]);
  });

  test('a project variable, a name or value with a variable, and an empty number are accepted', async () => {
    const rows = ['[site, 1]', '["${x}", 1]', '[count, "${x}"]', '[empty, ""]'];
    project.write('a.orch.yaml', pass('setScalarVariables:', ...rows.map((row) => `  - ${row}`)));
    project.write('b.orch.yaml', called(variable('count', 'NUMBER') + variable('empty', 'NUMBER')));
    project.commit('A project');
    expect(await review({ variables: ['si*'] })).toEqual([]);
  });

  test('a change of the called pipeline is reported at the calls that it breaks, old faults are not', async () => {
    project.write('a.orch.yaml', pass('setScalarVariables:', '  - [day, x]', '  - [old, x]'));
    project.write('b.orch.yaml', called(variable('day')));
    project.commit('A project');
    project.write('b.orch.yaml', called(variable('date')));
    project.commit('Rename the variable');
    expect(await reviewChange()).toEqual([
      'a.orch.yaml:8 The component "Run" passes the variable "day" to "b.orch.yaml", which does not declare it.',
    ]);
  });
});

describe('missing-file', () => {
  const sql = (file: string) => component('sql-executor', ['scriptLocation: File', `fileName: ${file}`]);

  test.each([
    ['sql/loda.sql', 'which the project does not have. Did you mean "sql/load.sql"?'],
    ['load.sql', 'which the project does not have. Did you mean "sql/load.sql"?'],
    ['../sql/load.sql', 'which the project does not have. Did you mean "sql/load.sql"?'],
    ['draft/a.sql', 'which is not published: files.include and files.exclude in millrace.yaml leave it out.'],
  ])('the file %s is refused with its reason', async (file, reason) => {
    project.write('a.orch.yaml', sql(file));
    project.write('sql/load.sql', 'select 1');
    project.write('draft/a.sql', 'select 1');
    project.commit('A project');
    expect(await review({ exclude: ['draft/**'] })).toEqual([
      `a.orch.yaml:7 The component "Run" reads its script from "${file}", ${reason}`,
    ]);
  });

  test('the hint of a name that only looks like the written one shows the difference', async () => {
    project.write('a.orch.yaml', sql('sql/caf\u{e9}.sql'));
    project.write('b.orch.yaml', component('run-orchestration', ['orchestrationJob: caf\u{e9}']));
    project.write('caf\u{e9}.orch.yaml', called(variable('day')));
    project.commit('A project');
    project.git('mv', 'caf\u{e9}.orch.yaml', 'cafe\u{301}.orch.yaml');
    project.write('sql/cafe\u{301}.sql', 'select 1');
    project.commit('The other form of the letter');
    const call = String.raw`There is "cafe\u{301}", which only looks like "caf\u{e9}".`;
    expect(await review()).toEqual([
      String.raw`a.orch.yaml:7 The component "Run" reads its script from "sql/${'caf\u{e9}'}.sql", which the project does not have. There is "sql/cafe\u{301}.sql", which only looks like "sql/caf\u{e9}.sql".`,
      `b.orch.yaml:6 The component "Run" calls "caf\u{e9}", which does not exist. ${call}`,
    ]);
    expect(await reviewChange()).toContainEqual(
      `b.orch.yaml:6 The component "Run" still calls "caf\u{e9}", which this change removes. ${call}`,
    );
  });

  test('a file that exists, one with a variable, and one that the component does not use are accepted', async () => {
    project.write('a.orch.yaml', sql('/sql/load.sql'));
    project.write('b.orch.yaml', sql('"sql/${name}.sql"'));
    project.write('c.orch.yaml', component('sql-executor', ['sqlScript: select 1', 'fileName: gone.sql']));
    project.write('d.orch.yaml', component('python-script', ['pythonScriptLocation: ""', 'script: x']));
    project.write('sql/load.sql', 'select 1');
    project.commit('A project');
    expect(await review()).toEqual([]);
  });

  const pythonOr = (name: string) => `script: set pythonScriptLocation or ${name}.`;
  const sqlOr = 'script: set sqlScript, or fileName and scriptLocation: "File".';
  test.each([
    ['sql-executor', 'scriptLocation: File', '', 'file with its script: set fileName.'],
    ['sql-executor', 'scriptLocation: " file"', 'fileName: ""', 'file with its script: set fileName.'],
    ['sql-executor', 'scriptLocation: File', 'fileName: null', 'file with its script: set fileName.'],
    ['sql-executor', 'scriptLocation: File', 'fileName: [a]', 'file with its script: set fileName.'],
    ['sql-executor', 'scriptLocation: Component', '', sqlOr],
    ['sql-executor', 'sqlScript: ""', '', sqlOr],
    ['sql-executor', 'sqlScript: [select 1]', '', sqlOr],
    ['sql-executor', 'fileName: a.sql', '', 'script: it names a file, so set scriptLocation to "File".'],
    ['sql-script', 'sqlScript: " "', '', 'SQL: set sqlScript.'],
    ['sql-script', 'sqlScript: "-- later"', '', 'SQL: set sqlScript.'],
    ['sql', 'query:', '', 'SQL: set query.'],
    ['query-to-scalar', 'mode: advanced', '', 'SQL: set query.'],
    ['query-to-grid', 'gridVariable: rows', '', 'SQL: set query.'],
    ['table-iterator', 'mode: Advanced', 'query: ~', 'SQL: set query.'],
    ['python-script', 'interpreter: Python 3', '', pythonOr('script')],
    ['python-script', 'script: " "', '', pythonOr('script')],
    ['python-pushdown', 'script: x', 'pythonScriptLocation: ""', pythonOr('pythonScript')],
    ['python-pushdown', 'pythonScript:', 'pythonScriptLocation: ~', pythonOr('pythonScript')],
  ])('a %s with "%s" and "%s" has nothing to run', async (type, row, other, what) => {
    project.write('a.orch.yaml', component(type, [row, other]));
    project.commit('A project');
    expect(await review()).toEqual([`a.orch.yaml:3 The component "Run" has no ${what}`]);
  });

  test('a sql-executor with an unknown location of its script is refused, as the engine does', async () => {
    project.write('a.orch.yaml', component('sql-executor', ['scriptLocation: Flie', 'fileName: a.sql']));
    project.commit('A project');
    expect(await review()).toEqual([
      'a.orch.yaml:3 The component "Run" has an unknown scriptLocation, "flie": write "Component" or "File".',
    ]);
  });

  test.each([
    ['sql-executor', 'scriptLocation: "${where}"'],
    ['query-to-scalar', 'mode: Basic'],
    ['table-iterator', 'mode: "${mode}"'],
    ['sql', 'query: 1'],
  ])('a %s with %s may have something to run', async (type, row) => {
    project.write('a.orch.yaml', component(type, [row]));
    project.commit('A project');
    expect(await review()).toEqual([]);
  });

  test('a file that the change makes a symbolic link is refused, as publishing does', async () => {
    project.write('a.orch.yaml', sql('sql/load.sql'));
    project.write('sql/load.sql', 'select 1');
    project.write('sql/other.sql', 'select 1');
    project.commit('A project');
    rmSync(join(project.directory, 'sql/load.sql'));
    symlinkSync('other.sql', join(project.directory, 'sql/load.sql'));
    project.commit('Link');
    const refused = [
      'a.orch.yaml:7 The component "Run" reads its script from "sql/load.sql", which is a symbolic link: publishing refuses it. Replace it by a plain file.',
    ];
    expect(await review()).toEqual(refused);
    expect(await reviewChange()).toEqual(refused);
  });

  test('on disk, a link or a folder in place of a file is refused, new or not', async () => {
    for (const name of ['link', 'folder', 'new', 'in/load'])
      project.write(`${name.replace('/', '-')}.orch.yaml`, sql(`sql/${name}.sql`));
    for (const name of ['link', 'folder', 'other', 'in/load']) project.write(`sql/${name}.sql`, 'select 1');
    project.commit('A project');
    const at = (name: string) => join(project.directory, 'sql', name);
    for (const name of ['link.sql', 'folder.sql', 'in']) rmSync(at(name), { recursive: true });
    for (const name of ['link.sql', 'new.sql']) symlinkSync('other.sql', at(name));
    mkdirSync(at('folder.sql'));
    project.write('elsewhere/load.sql', 'select 1');
    symlinkSync('../elsewhere', at('in'));

    const snapshot = await openWorkCopy(project.directory, 'working-tree');
    const link = 'is a symbolic link: publishing refuses it. Replace it by a plain file.';
    const refused = (name: string, reason: string) =>
      expect.stringMatching(
        `^${name.replace('/', '-')}\\.orch\\.yaml:7 The component "Run" reads its script from "sql/${name}.sql", which ${reason}`,
      ) as string;
    const expected = [
      refused('folder', 'the project does not have.'),
      refused('in/load', 'the project does not have.'),
      refused('link', link),
      refused('new', link),
    ];
    expect(await review({ snapshot })).toEqual(expected);
    expect(await review({ snapshot, scope: 'changed', base: 'HEAD' })).toEqual(expected);
  });

  test.each(['commit', 'staged', 'working-tree'] as const)(
    'a file that the change deletes is reported at the pipeline that reads it: %s',
    async (kind) => {
      project.write('a.orch.yaml', sql('sql/load.sql'));
      project.write('old.orch.yaml', sql('sql/never.sql'));
      project.write('sql/load.sql', 'select 1');
      project.commit('A project');
      project.git('rm', '-q', 'sql/load.sql');
      if (kind === 'commit') project.commit('Delete');
      const base = project.git('rev-parse', kind === 'commit' ? 'HEAD~1' : 'HEAD');
      const snapshot = kind === 'commit' ? undefined : await openWorkCopy(project.directory, kind);
      expect(await review({ scope: 'changed', base, snapshot })).toEqual([
        'a.orch.yaml:7 The component "Run" reads its script from "sql/load.sql", which the project does not have.',
      ]);
    },
  );
});

describe('shared pipelines of the project itself', () => {
  const sharedPrefix = 'finance';
  const callShared = (name: string, ...more: string[]) =>
    component('run-shared-pipeline', [`pipelineName: ${name}`, ...more]);

  beforeEach(() => {
    project.write('b.orch.yaml', called(variable('day')));
    project.write(
      '.platform/shared-pipelines.yaml',
      shared('  - { pipeline: b, id: load }\n  - { pipeline: b, id: off, enabled: false }\n'),
    );
  });

  test.each([
    ['finance#laod', ' Did you mean "finance#load"?'],
    ['finance#off', ''],
  ])('a call of %s, which the project does not share, is an unknown call', async (name, hint) => {
    project.write('a.orch.yaml', callShared(name));
    project.commit('A project');
    expect(await review({ sharedPrefix })).toEqual([
      `a.orch.yaml:6 The component "Run" calls the shared pipeline "${name}", which this project does not share: shared-pipelines.yaml has no enabled pipeline with this id.${hint}`,
    ]);
  });

  test.each([
    ['finance#load', '[Latest]'],
    ['finance#gone', 'v1'],
    ['other#gone', '[Latest]'],
    ['"finance#${id}"', '[Latest]'],
  ])('a call of %s in version %s is accepted', async (name, version) => {
    project.write('a.orch.yaml', callShared(name, `version: "${version}"`));
    project.commit('A project');
    expect(await review({ sharedPrefix })).toEqual([]);
  });

  test.each(['./b', '/b', './b.orch.yaml'])('an entry "%s" is not the pipeline b', async (pipeline) => {
    project.write('.platform/shared-pipelines.yaml', shared(`  - { pipeline: ${pipeline}, id: load }\n`));
    project.commit('A project');
    expect(await review({ sharedPrefix })).toEqual([
      expect.stringMatching(
        /The shared pipeline "load" is "[./a-z]+", which the platform does not read as "b.orch.yaml": it will be left out, and calls of it fail. Write "b".$/,
      ),
    ]);
  });

  test('without a prefix in millrace.yaml, an id of any prefix is accepted', async () => {
    project.write('a.orch.yaml', callShared('finance#gone'));
    project.commit('A project');
    expect(await review()).toEqual([]);
  });

  test('a name that is not prefix#id, and a call without a name, are unknown calls', async () => {
    project.write('a.orch.yaml', callShared('load'));
    project.write('c.orch.yaml', component('run-orchestration', ['setScalarVariables: []']));
    project.commit('A project');
    expect(await review()).toEqual([
      'a.orch.yaml:6 The component "Run" calls "load", but the name of a shared pipeline is prefix#id.',
      'c.orch.yaml:3 The component "Run" names no pipeline: set orchestrationJob.',
    ]);
  });

  test('variables that are passed, and cycles, are checked through them', async () => {
    project.write('a.orch.yaml', callShared('finance#load', 'setScalarVariables: [[month, x]]'));
    project.write('b.orch.yaml', component('run-orchestration', ['orchestrationJob: a']));
    project.commit('A project');
    expect(await review({ sharedPrefix })).toEqual([
      'a.orch.yaml:6 The component "Run" calls a pipeline that, in the end, calls this one again: a.orch.yaml → b.orch.yaml → a.orch.yaml.',
      'a.orch.yaml:7 The component "Run" passes the variable "month" to "b.orch.yaml", which does not declare it.',
      'b.orch.yaml:6 The component "Run" calls a pipeline that, in the end, calls this one again: b.orch.yaml → a.orch.yaml → b.orch.yaml.',
    ]);
  });

  test('a change that takes an id away is reported at the calls that it breaks, old faults are not', async () => {
    project.write('a.orch.yaml', callShared('finance#load'));
    project.write('old.orch.yaml', callShared('finance#gone'));
    project.commit('A project');
    project.write('.platform/shared-pipelines.yaml', shared('  - { pipeline: b, id: other }\n'));
    project.commit('Rename the id');
    expect(await reviewChange({ sharedPrefix })).toMatchObject([
      expect.stringMatching(/^a\.orch\.yaml:6 .* which this project does not share/),
    ]);
  });

  test('a change that points an id to another pipeline is reported at the calls that it breaks, old faults are not', async () => {
    project.write('a.orch.yaml', callShared('finance#load', 'setScalarVariables: [[day, x], [old, x]]'));
    project.write('c.orch.yaml', called(variable('date')));
    project.commit('A project');
    project.write('.platform/shared-pipelines.yaml', shared('  - { pipeline: c, id: load }\n'));
    project.commit('Another pipeline');
    const broken =
      'a.orch.yaml:7 The component "Run" passes the variable "day" to "c.orch.yaml", which does not declare it.';
    expect(await reviewChange({ sharedPrefix })).toEqual([broken]);
    const passed = { 'passed-variable': 'error' };
    expect(await reviewChange({ sharedPrefix, checks: passed })).toEqual([broken]);
    project.git('reset', '-q', '--soft', 'HEAD~1');
    for (const kind of ['staged', 'working-tree'] as const) {
      const snapshot = await openWorkCopy(project.directory, kind);
      expect(await review({ sharedPrefix, scope: 'changed', base: 'HEAD', snapshot })).toEqual([broken]);
    }
  });

  test('a change that points an id to a caller closes a cycle, which is reported at the call; old cycles are not', async () => {
    project.write('a.orch.yaml', callShared('finance#load'));
    project.write('c.orch.yaml', component('run-orchestration', ['orchestrationJob: a']));
    project.write('d.orch.yaml', callShared('finance#loop'));
    const loop = '  - { pipeline: d, id: loop }\n';
    project.write('.platform/shared-pipelines.yaml', shared(`  - { pipeline: b, id: load }\n${loop}`));
    project.commit('A project');
    project.write('.platform/shared-pipelines.yaml', shared(`  - { pipeline: c, id: load }\n${loop}`));
    project.commit('Another pipeline');
    expect(await reviewChange({ sharedPrefix })).toEqual([
      'a.orch.yaml:6 The component "Run" calls a pipeline that, in the end, calls this one again: a.orch.yaml → c.orch.yaml → a.orch.yaml.',
    ]);
    expect(await reviewChange({ sharedPrefix, checks: { 'unknown-call': 'error' } })).toEqual([]);
  });

  test('a pipeline that moves with its entry breaks no call, and old faults of the calls are not reported', async () => {
    project.write('a.orch.yaml', callShared('finance#load', 'setScalarVariables: [[old, x]]'));
    project.commit('A project');
    project.git('mv', 'b.orch.yaml', 'c.orch.yaml');
    project.write('.platform/shared-pipelines.yaml', shared('  - { pipeline: c, id: load }\n'));
    project.commit('Move');
    expect(await reviewChange({ sharedPrefix })).toEqual([]);
    expect(await reviewChange({ sharedPrefix, checks: { ...checks, 'unknown-call': 'off' } })).toEqual([]);
  });

  describe('an id whose pipeline is written without suffix, with an orchestration and a transformation', () => {
    const entries = '  - { pipeline: daily/b, id: load, parameters: { day: {}, old: {} } }\n';
    beforeEach(() => {
      project.write('.platform/shared-pipelines.yaml', shared(entries));
      project.write('a.orch.yaml', callShared('finance#load', 'setScalarVariables: [[day, x], [old, x]]'));
      project.write('daily/b.tran.yaml', called(variable('date')));
    });
    const entryBroken = (name: string) =>
      `.platform/shared-pipelines.yaml:3 The shared pipeline "load" has the parameter "${name}", but its pipeline declares no such variable.`;
    const callBroken = (name: string, path: string) =>
      `a.orch.yaml:7 The component "Run" passes the variable "${name}" to "${path}", which does not declare it.`;

    test.each([
      ['deletes', ['rm', '-q', 'daily/b.orch.yaml']],
      ['renames', ['mv', 'daily/b.orch.yaml', 'daily/c.orch.yaml']],
    ])('a change that %s the orchestration breaks its calls and its entry', async (_, git) => {
      project.write('daily/b.orch.yaml', called(variable('day')));
      project.commit('A project');
      project.git(...git);
      project.commit('Gone');
      const broken = [entryBroken('day'), callBroken('day', 'daily/b.tran.yaml')];
      expect(await reviewChange({ sharedPrefix })).toEqual(broken);
      expect(await reviewChange({ sharedPrefix, checks: { ...checks, 'unknown-call': 'off' } })).toEqual(
        broken,
      );
    });

    test('a change that adds the orchestration breaks its calls and its entry', async () => {
      project.write('daily/b.tran.yaml', called(variable('day')));
      project.commit('A project');
      project.write('daily/b.orch.yaml', called(variable('date')));
      project.commit('Add it');
      expect(await reviewChange({ sharedPrefix })).toEqual([
        entryBroken('day'),
        callBroken('day', 'daily/b.orch.yaml'),
      ]);
    });

    test('a change that gives the pipeline the other kind does, too, also a cycle', async () => {
      project.write('daily/b.tran.yaml', called(variable('day')));
      project.commit('A project');
      project.git('mv', 'daily/b.tran.yaml', 'daily/b.orch.yaml');
      project.write('daily/b.orch.yaml', component('run-orchestration', ['orchestrationJob: a']));
      project.commit('Another kind');
      expect(await reviewChange({ sharedPrefix })).toEqual([
        entryBroken('day'),
        expect.stringContaining('a.orch.yaml:6 The component "Run" calls a pipeline that, in the end, calls'),
        callBroken('day', 'daily/b.orch.yaml'),
        expect.stringContaining('daily/b.orch.yaml:6 The component "Run" calls a pipeline that'),
      ]);
    });
  });

  test('a change of the prefix is reported at the calls with the old one, and as changed ids of the last release', async () => {
    const settings = (prefix: string) => `version: 1\nrelease: { shared: { prefix: ${prefix} } }\n`;
    project.write('millrace.yaml', settings('fin'));
    project.write('a.orch.yaml', callShared('fin#load'));
    project.write('c.orch.yaml', callShared('fin#load', 'version: v1'));
    project.write('d.orch.yaml', callShared('third#load'));
    project.commit('A project');
    project.git('tag', 'v1');
    project.write('millrace.yaml', settings('finance'));
    project.commit('Another prefix');
    const call =
      'a.orch.yaml:6 The component "Run" calls "fin#load", but this change renames the prefix "fin" of the project to "finance". Did you mean "finance#load"?';
    expect(await reviewChange({ sharedPrefix })).toEqual([call]);
    // A pull request is reviewed with the settings of its target branch.
    expect(await reviewChange({ sharedPrefix: 'fin' })).toEqual([call]);
    expect(await reviewChange({ sharedPrefix, checks: { 'shared-id-changed': 'error' } })).toEqual([
      'millrace.yaml:1 The prefix of the shared pipelines was "fin" in the last release (v1), and is "finance" now: other projects that call them will fail.',
    ]);
    project.write('millrace.yaml', settings('fin'));
    project.commit('Back');
    expect(
      await review({ sharedPrefix: 'fin', checks: { ...checks, 'shared-id-changed': 'error' } }),
    ).toEqual([]);
  });

  describe('an id that changed since the release', () => {
    const onlyIds = { 'shared-id-changed': 'error' } as const;
    const entry = (id: string) => shared(`  - { pipeline: b, id: ${id} }\n`);
    const changed =
      'The shared pipeline id "load", which the last release (v1) had, became "load-all": other projects that call it will fail.';

    test('is found after the folder of the configuration has moved', async () => {
      project.write('.platform/shared-pipelines.yaml', entry('load'));
      project.write('b.orch.yaml', called(variable('day')));
      project.commit('A project');
      project.git('tag', 'v1');
      project.git('mv', '.platform', 'config');
      project.write('config/shared-pipelines.yaml', entry('load-all'));
      project.commit('Move the folder');
      expect(await review({ checks: onlyIds, configDir: 'config' })).toEqual([
        `config/shared-pipelines.yaml:3 ${changed}`,
      ]);
    });

    test('is found after the project has moved, as the prefix is', async () => {
      project.write('.platform/shared-pipelines.yaml', entry('load'));
      project.write('millrace.yaml', 'version: 1\nrelease: { shared: { prefix: fin } }\n');
      project.write('b.orch.yaml', called(variable('day')));
      project.commit('A project');
      project.git('tag', 'v1');
      project.git('rm', '-q', '.platform/shared-pipelines.yaml', 'millrace.yaml', 'b.orch.yaml');
      project.write('p/.platform/shared-pipelines.yaml', entry('load-all'));
      project.write('p/millrace.yaml', 'version: 1\nrelease: { shared: { prefix: ops } }\n');
      project.write('p/b.orch.yaml', called(variable('day')));
      project.commit('Move the project');
      expect(await review({ checks: onlyIds, directory: 'p', configFile: 'p/millrace.yaml' })).toEqual([
        `p/.platform/shared-pipelines.yaml:3 ${changed}`,
        'p/millrace.yaml:1 The prefix of the shared pipelines was "fin" in the last release (v1), and is "ops" now: other projects that call them will fail.',
      ]);
    });

    test('cannot be found without a tag of a release, which a notice says', async () => {
      project.commit('A project');
      project.git('rm', '-q', '.platform/shared-pipelines.yaml');
      project.commit('Nothing is shared');
      expect(await review({ checks: onlyIds })).toEqual([]);
      project.write('.platform/shared-pipelines.yaml', entry('load'));
      project.commit('A project');
      expect(await review({ checks: onlyIds })).toEqual([
        expect.stringContaining(
          '.platform/shared-pipelines.yaml:1 This clone has no tag that matches "v*" (release.tag), so it is not known',
        ),
      ]);
      project.git('tag', 'v1');
      expect(await review({ checks })).toEqual([]);
    });
  });

  test('a change of a shared pipeline is reported at the entry and the calls that it breaks', async () => {
    const entries = '  - { pipeline: b, id: load, parameters: { day: {}, old: {} } }\n';
    project.write('.platform/shared-pipelines.yaml', shared(entries));
    project.write('a.orch.yaml', callShared('finance#load', 'setScalarVariables: [[day, x]]'));
    project.commit('A project');
    project.write('b.orch.yaml', called(variable('date')));
    project.commit('Rename the variable');
    expect(await reviewChange({ sharedPrefix })).toEqual([
      '.platform/shared-pipelines.yaml:3 The shared pipeline "load" has the parameter "day", but its pipeline declares no such variable.',
      'a.orch.yaml:7 The component "Run" passes the variable "day" to "b.orch.yaml", which does not declare it.',
    ]);
  });

  test('a file that cannot be read is one finding, and no call is unknown because of it', async () => {
    project.write('.platform/shared-pipelines.yaml', shared('  - { pipeline: b }\n'));
    project.write('a.orch.yaml', callShared('finance#load'));
    project.commit('A project');
    expect(await review({ sharedPrefix })).toEqual([
      '.platform/shared-pipelines.yaml:3 A shared pipeline must have "pipeline" and "id", so no shared pipeline can be published.',
    ]);
  });

  test('in a project below the root of the repository, paths begin at the project', async () => {
    project.write('p/.platform/shared-pipelines.yaml', shared('  - { pipeline: d, id: load }\n'));
    project.write('p/a.orch.yaml', callShared('finance#load'));
    project.write('p/d.orch.yaml', component('sql-executor', ['scriptLocation: file', 'fileName: x.sql']));
    project.write('p/x.sql', 'select 1');
    project.commit('A project');
    expect(await review({ sharedPrefix, directory: 'p' })).toEqual([]);
  });
});

describe('a script that is not text', () => {
  const runs = component('sql-executor', ['scriptLocation: File', 'fileName: sql/a.sql']);
  const latin1 = Buffer.from("select 'caf\u00e9'\n", 'latin1');
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';

  test.each([
    ['Latin-1', latin1, 'byte 12 is not UTF-8'],
    ['a Git LFS pointer', pointer, 'it is a Git LFS pointer'],
  ])('is found at its component: %s', async (_, content, reason) => {
    project.write('sql/a.sql', content);
    project.write('a.orch.yaml', runs);
    project.commit('A project');
    expect(await review()).toEqual([expect.stringContaining(reason)]);
    expect((await review())[0]).toMatch(
      /^a\.orch\.yaml:7 The component "Run" reads its script from "sql\/a\.sql", which cannot be read: /,
    );
  });

  test('is found at a component that the change does not touch', async () => {
    project.write('sql/a.sql', 'select 1\n');
    project.write('a.orch.yaml', runs);
    project.commit('A project');
    project.write('sql/a.sql', latin1);
    project.commit('Another encoding');
    expect(await reviewChange()).toEqual([expect.stringMatching(/^a\.orch\.yaml:7 .* byte 12 is not UTF-8/)]);
  });
});

describe('a SQL file without a statement', () => {
  const runs = component('sql-executor', ['scriptLocation: File', 'fileName: sql/a.sql']);
  const found =
    'a.orch.yaml:7 The component "Run" reads its script from "sql/a.sql", which has no SQL to run.';

  test.each(['', '\uFEFF\r\n', '-- select 1', ' ;\n/* a * b ** */ -- c\n;'])('is found: %j', async (text) => {
    project.write('a.orch.yaml', runs);
    project.write('b.orch.yaml', component('python-script', ['pythonScriptLocation: sql/a.sql']));
    project.write('sql/a.sql', 'select 1 -- one\n');
    project.commit('A project');
    expect(await review()).toEqual([]);
    project.write('sql/a.sql', text);
    project.commit('Nothing to run');
    expect(await review()).toEqual([found]);
    expect(await reviewChange()).toEqual([found]);
  });

  test.each(["'-- a'", '/* a', '- -', '/* */ select 1 -- /*'])(
    'is not found where there is a text: %j',
    async (text) => {
      project.write('a.orch.yaml', runs);
      project.write('sql/a.sql', text);
      project.commit('A project');
      expect(await review()).toEqual([]);
    },
  );
});

describe('variables in a SQL file', () => {
  const own = { checks: { 'undeclared-variable': 'error' } } as const;
  const runs = component('sql-executor', ['scriptLocation: File', 'fileName: sql/a.sql']);
  const text = 'select 1\n-- ${day} ${run.id}\nwhere k = ${kind} and l = ${ kind }\n';
  const finding = (name: string, line: number) =>
    `a.orch.yaml:7 The component "Run" reads its script from "sql/a.sql", which uses the variable "${name}" in line ${line}, but neither the pipeline nor the project declares it.`;

  test('are found at the component that reads it, without those that the pipeline or the project declares', async () => {
    project.write('sql/a.sql', text);
    project.write('a.orch.yaml', runs);
    project.commit('A project');
    expect(await review(own)).toEqual([finding('day', 2), finding('kind', 3)]);
    expect(await review({ ...own, variables: ['k*'] })).toEqual([finding('day', 2)]);
    expect(await review()).toEqual([]);
    project.write('a.orch.yaml', `${runs}\n  variables:\n${variable('day')}`);
    project.commit('Declare one');
    expect(await reviewChange(own)).toEqual([finding('kind', 3)]);
  });

  test('are not found where they are not replaced, in SQL and in Python', async () => {
    const off = ['scriptLocation: File', 'fileName: sql/a.sql', 'enableVariableResolution: "No"'];
    project.write('sql/a.sql', text);
    project.write('a.orch.yaml', component('sql-executor', off));
    project.write('b.orch.yaml', component('python-script', ['pythonScriptLocation: sql/a.sql']));
    project.commit('A project');
    expect(await review(own)).toEqual([]);
  });

  test('that the change adds are found at components that it does not touch, and others are not', async () => {
    project.write('sql/a.sql', 'select ${day}\n');
    project.write('a.orch.yaml', runs);
    project.commit('A project');
    project.write('sql/a.sql', text);
    project.commit('Another variable');
    expect(await reviewChange(own)).toEqual([finding('kind', 3)]);
  });

  test('are found in files with other names, which a pipeline runs', async () => {
    const ddl = component('sql-executor', ['scriptLocation: File', 'fileName: sql/a.ddl']);
    project.write('sql/a.ddl', 'select 1\n');
    project.write('a.orch.yaml', ddl);
    project.commit('A project');
    const found = (reason: string) => [expect.stringMatching(`^a\\.orch\\.yaml:7 .*${reason}`)];
    const scripts = [
      ['select ${größe}\n', 'uses the variable "größe" in line 1'],
      [Buffer.from("select 'caf\u00e9'\n", 'latin1'), 'byte 12 is not UTF-8'],
      ['-- later\n', 'which has no SQL to run'],
    ] as const;
    for (const [content, reason] of scripts) {
      project.write('sql/a.ddl', content);
      project.commit('Another script');
      const on = { 'undeclared-variable': 'error', 'missing-file': 'error' } as const;
      expect(await reviewChange({ checks: on })).toEqual(found(reason));
    }
  });

  test('that the change adds are found also if the base has added them since the change began', async () => {
    project.write('sql/a.sql', 'select 1\n');
    project.write('a.orch.yaml', runs);
    const start = project.commit('A project');
    project.write('sql/a.sql', 'select ${day}\n');
    project.write('a.orch.yaml', `${runs}\n  variables:\n${variable('day')}`);
    const base = project.commit('Use and declare it');
    project.git('switch', '-q', '-c', 'change', start);
    project.write('sql/a.sql', 'select ${day}\n');
    project.commit('Use it');
    expect(await review({ ...own, scope: 'changed', base })).toEqual([finding('day', 1)]);
  });
});

test('a change of `files` in millrace.yaml reviews all pipelines, also those that it does not touch', async () => {
  project.write('lib/b.orch.yaml', called(''));
  project.write('a.orch.yaml', component('run-orchestration', ['orchestrationJob: lib/b']));
  project.write('millrace.yaml', 'version: 1\n');
  project.commit('A project');
  project.write('millrace.yaml', 'version: 1\nfiles: { exclude: ["lib/**"] }\n');
  project.commit('Leave lib out');
  expect(await reviewChange({ exclude: ['lib/**'] })).toEqual([
    expect.stringMatching(/^a\.orch\.yaml:6 The component "Run" calls "lib\/b"/),
  ]);
  project.write('millrace.yaml', 'version: 1\nfiles: { exclude: ["lib/**"] } # only a comment\n');
  project.commit('Say more');
  expect(await reviewChange({ exclude: ['lib/**'] })).toEqual([]);
});
