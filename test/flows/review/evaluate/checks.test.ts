import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReviewReport } from '../../../../flows/review/scope/review-request.ts';
import { openWorkCopy } from '../../../../lib/git/work-tree/work-copy.ts';
import { type ReviewProject, reviewProject, rulesPath } from '../review-project.ts';

const call = (target: string, parameter = 'orchestrationJob') =>
  `pipeline:\n  components:\n    Run:\n      type: "run-${parameter.replace('Job', '')}"\n      parameters:\n        ${parameter}: ${target}\n`;
const empty = 'pipeline:\n  components:\n    Start:\n      type: "start"\n';

describe('Millrace’s own checks', () => {
  let project: ReviewProject;
  const essence = ({ findings }: ReviewReport) =>
    findings.map(({ rule, file, line, message }) => ({ rule, file, line, message }));

  beforeEach(() => {
    project = reviewProject();
    project.write(rulesPath, 'rules: []\n');
    project.write('daily/load.orch.yaml', empty);
    project.write('daily/build.tran.yaml', empty);
    project.write('main.orch.yaml', call('"daily/load"'));
    project.write('ä/second.orch.yaml', call('daily/build.tran.yaml', 'transformationJob'));
    project.commit('A project');
  });
  afterEach(() => project[Symbol.dispose]());

  test('a pipeline that the change deletes is a finding at its caller, with no check switched on', async () => {
    const base = project.git('rev-parse', 'HEAD');
    project.git('rm', '-q', 'daily/load.orch.yaml');
    project.commit('Gone');
    const change = { base, scope: 'changed' } as const;

    const report = await project.review(change);
    expect(report.outcome).toBe('failed');
    expect(essence(report)).toEqual([
      {
        rule: 'millrace/unknown-call',
        file: 'main.orch.yaml',
        line: 6,
        message: 'The component "Run" still calls "daily/load", which this change removes.',
      },
    ]);
    expect((await project.review({ ...change, checks: { 'unknown-call': 'off' } })).outcome).toBe(
      'nothing-to-do',
    );
    expect((await project.review({ ...change, checks: { 'unknown-call': 'notice' } })).outcome).toBe(
      'passed',
    );
  });

  test('a renamed pipeline is reported with its new name and a fix: committed, staged and on disk', async () => {
    const base = project.git('rev-parse', 'HEAD');
    project.git('mv', 'daily/load.orch.yaml', 'daily/load all.orch.yaml');
    for (const kind of ['staged', 'working-tree'] as const) {
      const snapshot = await openWorkCopy(project.directory, kind);
      const { findings } = await project.review({ snapshot, base, scope: 'changed' });
      expect(findings).toMatchObject([
        { file: 'main.orch.yaml', message: expect.stringContaining('Its path is "daily/load all".') },
      ]);
    }
    project.commit('Renamed');
    const { findings } = await project.review({ base, scope: 'changed' });
    expect(findings).toMatchObject([
      { file: 'main.orch.yaml', fix: { line: 6, column: 27, endColumn: 39, text: '"daily/load all"' } },
    ]);
  });

  test.each([
    ['over two lines', 'close month', 'close\n          month'],
    ['with a doubled quotation mark', "bob's", "'bob''s'"],
    ['with an escape', 'räum', '"r\\u00e4um"'],
    ['as an alias', 'load', '*name'],
    ['in a block', 'load', '>-\n          load'],
  ])('a removed pipeline is found at a caller that writes its name %s', async (_title, name, written) => {
    project.write(`${name}.orch.yaml`, empty);
    project.write('caller.orch.yaml', `name: &name load\n${call(written)}`);
    project.commit('A caller');
    const base = project.git('rev-parse', 'HEAD');
    project.git('rm', '-q', `${name}.orch.yaml`);
    project.commit('Gone');
    expect(essence(await project.review({ base, scope: 'changed' }))).toMatchObject([
      { rule: 'millrace/unknown-call', file: 'caller.orch.yaml' },
    ]);
  });

  test.each([
    ['after a comment, with an escape', '# the target\n          "daily/\\u006coad"'],
    ['over two lines, with an escape', '"daily/\\\n          \\x6coad"'],
    ['over two lines', '"daily/lo\\\n          ad"'],
    ['after a comment, as an alias', '# the target\n          *target'],
  ])('a call is found that is written %s', async (_, target) => {
    const anchor = 'x: &target "daily/\\u006coad"\n';
    project.write('main.orch.yaml', `${target.includes('*') ? anchor : ''}${call(target)}`);
    const base = project.commit('A call');
    project.git('rm', '-q', 'daily/load.orch.yaml');
    project.commit('Gone');
    const { findings } = await project.review({ scope: 'changed', base });
    expect(findings).toMatchObject([{ rule: 'millrace/unknown-call', file: 'main.orch.yaml' }]);
  });

  test('a call whose parameter is written with an escape is found', async () => {
    project.write('main.orch.yaml', call('daily/load').replace('orchestrationJob', '"orchestration\\x4aob"'));
    const base = project.commit('A call');
    project.git('rm', '-q', 'daily/load.orch.yaml');
    project.commit('Gone');
    const { findings } = await project.review({ scope: 'changed', base });
    expect(findings).toMatchObject([{ rule: 'millrace/unknown-call', file: 'main.orch.yaml' }]);
  });

  test('a change from the caller is used as it is, also with named files', async () => {
    project.git('rm', '-q', 'daily/load.orch.yaml');
    project.commit('Gone');
    const change = {
      files: [{ status: 'deleted', path: 'daily/load.orch.yaml' }],
      description: 'what was said',
    } as const;
    for (const more of [{ scope: 'changed' }, { files: ['ä/second.orch.yaml'] }, { scope: 'all' }] as const) {
      const { findings } = await project.review({ change, ...more });
      expect(findings).toMatchObject([{ rule: 'millrace/unknown-call', file: 'main.orch.yaml' }]);
    }
  });

  test.each([
    ['a merge key', 'x: &x\n  parameters: { orchestrationJob: gone }\n', '<<: *x', 7],
    ['a tag', '', 'parameters: { orchestrationJob: !!timestamp 2024-01-01 }', 5],
    ['YAML 1.1', '%YAML 1.1\n---\n', 'parameters: { orchestrationJob: 2024-01-01 }', 1],
  ])('a call that %s hides is a problem of the pipeline, at its line', async (_title, head, hidden, line) => {
    const text = `${head}pipeline:\n  components:\n    Run:\n      type: run-orchestration\n      ${hidden}\n`;
    project.write('main.orch.yaml', text);
    project.commit('A hidden call');
    const report = await project.review({ checks: { 'unknown-call': 'error' } });
    expect(report.outcome).toBe('failed');
    expect(essence(report)).toMatchObject([{ file: 'main.orch.yaml', rule: 'pipeline-file', line }]);
  });

  test('a cycle through untouched pipelines is reported only at the call that closes it', async () => {
    const base = project.git('rev-parse', 'HEAD');
    project.write('daily/load.orch.yaml', call('"main.orch.yaml"'));
    project.commit('A cycle');
    const { findings } = await project.review({ base, scope: 'changed', checks: { 'call-cycle': 'error' } });

    expect(findings.map(({ file, message }) => [file, message])).toEqual([
      [
        'daily/load.orch.yaml',
        'The component "Run" calls a pipeline that, in the end, calls this one again: daily/load.orch.yaml → main.orch.yaml → daily/load.orch.yaml.',
      ],
    ]);
  });

  test('of a cycle of more than ten pipelines, the message has the first ten', async () => {
    for (let index = 0; index < 11; index += 1)
      project.write(`p${index}.orch.yaml`, call(`p${(index + 1) % 11}`));
    project.commit('A long cycle');
    const { findings } = await project.review({ checks: { 'call-cycle': 'error' } });
    const files = Array.from({ length: 10 }, (_, index) => `p${index}.orch.yaml`);
    expect(findings).toHaveLength(11);
    expect(findings[0]?.message).toBe(
      `The component "Run" calls a pipeline that, in the end, calls this one again: ${files.join(' → ')} → … → p0.orch.yaml.`,
    );
  });

  test('files that only mention what changed are not reported for faults of their own', async () => {
    const faults = `${call('"never/there"')}      transitions: { success: [nowhere] }\n# daily/load\n`;
    project.write('old.orch.yaml', faults);
    project.write('cycle.orch.yaml', call('"cycle"'));
    project.write('.platform/shared-pipelines.yaml', 'pipelines:\n  - { pipeline: main, id: main }\n');
    project.write('connector-profile:custom-1.json', '{}');
    project.commit('Faults');
    project.git('tag', 'v1');
    project.write('.platform/shared-pipelines.yaml', 'pipelines: []\n');
    const base = project.commit('An id less');
    const checks = {
      'unknown-call': 'error',
      'call-cycle': 'error',
      'dangling-reference': 'error',
      'shared-id-changed': 'error',
      'connector-file': 'error',
    } as const;
    project.write('daily/load.orch.yaml', `${empty}# touched\n`);
    project.commit('Touched');
    expect(essence(await project.review({ base, scope: 'changed', checks }))).toEqual([]);

    project.git('rm', '-q', 'daily/load.orch.yaml');
    project.commit('Gone');
    const gone = await project.review({ base, scope: 'changed', checks });
    expect(essence(gone).map(({ file }) => file)).toEqual(['main.orch.yaml']);
    const all = await project.review({ base, scope: 'all', checks });
    expect(all.findings.map(({ rule }) => rule).toSorted()).toEqual([
      'millrace/call-cycle',
      'millrace/connector-file',
      'millrace/dangling-reference',
      'millrace/shared-id-changed',
      'millrace/unknown-call',
      'millrace/unknown-call',
    ]);
  });

  test.each([{}, { 'unknown-call': 'error' }] as const)(
    'a call to what the change takes away is reported once in a file that the change touches (checks: %o)',
    async (checks) => {
      const base = project.git('rev-parse', 'HEAD');
      project.git('rm', '-q', 'daily/load.orch.yaml');
      project.write('main.orch.yaml', `${call('"daily/load"')}# touched\n`);
      project.commit('Gone');
      const { findings } = await project.review({ base, scope: 'changed', checks });
      expect(findings).toMatchObject([{ rule: 'millrace/unknown-call', file: 'main.orch.yaml' }]);
    },
  );

  test('a deleted file outside the project or outside its globs is not a removed pipeline', async () => {
    project.write('finance/daily/load.orch.yaml', empty);
    project.write('finance/main.orch.yaml', call('"daily/load"'));
    project.write('finance/drafts/load.orch.yaml', empty);
    const base = project.commit('A project in a folder');
    project.git('rm', '-q', 'daily/load.orch.yaml', 'finance/drafts/load.orch.yaml');
    project.commit('Gone elsewhere');
    const more = { base, directory: 'finance', exclude: ['drafts/**'], scope: 'changed' } as const;
    expect(await project.review(more)).toMatchObject({ outcome: 'nothing-to-do', findings: [] });
  });

  test.each([
    ['"daily/laod"', 'Did you mean "daily/load"?', undefined],
    ['load', 'Did you mean "daily/load"?', undefined],
    ['daily/load.yml', 'Its path is "daily/load.orch.yaml".', 'daily/load.orch.yaml'],
    ["'daily/load.tran.yaml'", 'Its path is "daily/load.orch.yaml".', "'daily/load.orch.yaml'"],
    ['"somewhere/else/entirely"', 'which does not exist.', undefined],
  ])('an unknown call %s says %j', async (target, hint, text) => {
    project.write('main.orch.yaml', call(target));
    project.commit('A call');
    const { findings } = await project.review({ checks: { 'unknown-call': 'error' } });

    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toContain(hint);
    expect(findings[0]?.fix?.text).toBe(text);
  });

  test.each([
    ['load', 'transformation', 'finance/main', 'finance/load'],
    ['load', 'transformation', 'sales/eu/main', 'sales/load'],
    ['finanse/load', 'transformation', 'sales/main', 'finance/load'],
    ['finance/old/load', 'transformation', 'archive/main', 'finance/load'],
    ['lod', 'transformation', 'sales/main', 'sales/load'],
    ['load', 'orchestration', 'sales/main', 'archive/load'],
  ])(
    'a call of "%s" as %s from %s means %s: right kind, nearest folder',
    async (target, kind, from, meant) => {
      for (const folder of ['archive', 'finance', 'sales']) project.write(`${folder}/load.tran.yaml`, empty);
      project.write('archive/load.orch.yaml', empty);
      project.git('rm', '-q', '-r', 'daily', 'main.orch.yaml', 'ä');
      project.write(`${from}.orch.yaml`, call(target, `${kind}Job`));
      project.commit('A call');
      const { findings } = await project.review({ checks: { 'unknown-call': 'error' } });
      expect(findings).toMatchObject([{ message: expect.stringContaining(`Did you mean "${meant}"?`) }]);
    },
  );

  test('a call of the other kind says which kind the pipeline is', async () => {
    project.write('main.orch.yaml', call('daily/build'));
    project.commit('A call');
    const { findings } = await project.review({ checks: { 'unknown-call': 'error' } });
    expect(findings).toMatchObject([
      {
        message: expect.stringContaining(
          'A transformation with that name exists; run-transformation calls it.',
        ),
      },
    ]);
    expect(findings[0]?.fix).toBeUndefined();
  });

  test('a call is not changed to a renamed pipeline of the other kind', async () => {
    const base = project.git('rev-parse', 'HEAD');
    project.git('mv', 'daily/load.orch.yaml', 'daily/other.tran.yaml');
    project.commit('Another kind');
    const { findings } = await project.review({ base, scope: 'changed' });
    expect(findings).toMatchObject([{ file: 'main.orch.yaml', unfixable: expect.any(String) as string }]);
    expect(findings[0]?.fix).toBeUndefined();
  });

  test('valid calls with or without suffix, with a variable, or of a shared pipeline have no finding', async () => {
    project.write('a.orch.yaml', call('"daily/load.orch.yaml"'));
    project.write('b.orch.yaml', call('"${where}/load"'));
    project.write('c.orch.yaml', call('"finance#load"', 'sharedpipelineJob'));
    project.commit('Calls');
    expect((await project.review({ checks: { 'unknown-call': 'error' } })).findings).toEqual([]);
  });

  test('two equal findings at one component stay two, and fixing one keeps the other’s fingerprint', async () => {
    const dangling = (...names: string[]) =>
      `pipeline:\n  components:\n    Start:\n      type: "start"\n      transitions:\n        success: [${names.join(', ')}]\n`;
    project.write('a.orch.yaml', dangling('x', 'y'));
    project.commit('Two');
    const checks = { 'dangling-reference': 'error' } as const;
    const before = (await project.review({ checks })).findings;
    project.write('a.orch.yaml', dangling('y'));
    project.commit('One');
    const after = (await project.review({ checks })).findings;

    expect(before).toHaveLength(2);
    expect(after.map(({ fingerprint }) => fingerprint)).toEqual([before[1]?.fingerprint]);
  });

  test('two findings on one line each mark their own columns', async () => {
    project.write(
      'a.orch.yaml',
      [
        'pipeline:',
        '  components:',
        '    Start:',
        '      type: "start"',
        '      transitions: { success: [gone, gone] }',
        '      parameters: { text: "${one} and ${ two }, ${one}" }',
        '    Each:',
        '      type: "fixed-iterator"',
        '      parameters: { variablesToIterate: [[three], [four]] }',
        '    Script:',
        '      type: "sql-script"',
        '      parameters:',
        '        sqlScript: |',
        '          select 1',
        '          where a = ${five} and b = ${six}',
        '',
      ].join('\n'),
    );
    project.commit('Two on a line');
    const checks = { 'dangling-reference': 'error', 'undeclared-variable': 'error' } as const;
    const { findings } = await project.review({ checks });
    const placed = findings
      .filter(({ rule }) => rule.startsWith('millrace/'))
      .map(({ line, column, endColumn, subject }) => `${line}:${column}-${endColumn} ${subject}`);
    expect(placed).toEqual([
      '5:32-36 success gone',
      '5:38-42 success gone',
      '6:28-34 one',
      '6:39-47 two',
      '9:43-48 three',
      '9:52-56 four',
      '15:21-28 five',
      '15:37-43 six',
    ]);
  });

  test.each([
    ['transitions: [Next]', '`transitions` of a component must be a map, such as `success: [Next]`'],
    ['transitions: Next', '`transitions` of a component must be a map'],
    ['transitions: { success: { to: Next } }', '`success` must have names of components'],
    ['transitions: { failure: [[Next]] }', '`failure` must have names of components'],
    ['sources: { Next: 1 }', '`sources` must have names of components'],
    ['iterationTarget: { Next: 1 }', '`iterationTarget` must have names of components'],
    ['parameters: [a]', '`parameters` of a component must be a map'],
    ['postProcessing: a', '`postProcessing` of a component must be a map'],
    ['skipped: yes', '`skipped` of a component must be `true` or `false`; "yes" would be ignored.'],
    ['skipped: 1', '`skipped` of a component must be `true` or `false`; "1" would be ignored.'],
    ['skipped: [true]', '`skipped` of a component must be `true` or `false`; this value would be ignored.'],
  ])('%s has a form that would be ignored', async (row, sentence) => {
    project.write(
      'a.orch.yaml',
      `pipeline:\n  components:\n    Next: { type: x }\n    Start:\n      type: start\n      ${row}\n`,
    );
    project.commit('A form');
    const { findings } = await project.review({ checks: { 'unknown-key': 'error' } });
    expect(findings).toMatchObject([
      { file: 'a.orch.yaml', line: 6, component: 'Start', message: expect.stringContaining(sentence) },
    ]);
    for (const kept of [
      'skipped: "true"',
      'skipped: False',
      'skipped:',
      'transitions:',
      'transitions: { success: }',
      'sources: []',
      'parameters:',
      'sources: Next',
    ])
      project.write(
        `${kept.length}.orch.yaml`,
        `pipeline:\n  components:\n    Next: { type: x }\n    B:\n      ${kept}\n`,
      );
    project.write('a.orch.yaml', 'pipeline:\n  components:\n    Bad: start\n    Empty:\n');
    project.commit('A component');
    const others = (await project.review({ checks: { 'unknown-key': 'error' } })).findings;
    expect(others.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '3 The component "Bad" must be a map, such as { type: start }; this value would be ignored.',
    ]);
    project.git('rm', '-qf', 'a.orch.yaml');
    project.commit('Forms that are read');
    expect((await project.review({ checks: { 'unknown-key': 'error' } })).findings).toEqual([]);
  });

  const typesOf = (kind: string, ...types: readonly string[]) =>
    [
      `type: ${kind}`,
      'pipeline:',
      '  components:',
      ...types.map((type, index) => `    C${index}: { ${type} }`),
      '',
    ].join('\n');

  test('types that cannot be meant are found, and unknown ones that a platform may have are not', async () => {
    const wrong = [
      'parameters: {}',
      'type: ""',
      'type: [start]',
      'type: table-input',
      'type: SQL-Executor',
      'type: sql_executor',
      'type: sql-exectuor',
      'type: sql-executer',
      'type: query-to-scaler',
    ];
    const possible = [
      'start',
      'send-email-v3',
      's3-unload',
      'gcs-load',
      'delete-table',
      'my-own',
      'nd',
      'ort',
    ];
    project.write(
      'a.orch.yaml',
      typesOf('orchestration', ...wrong, ...possible.map((type) => `type: ${type}`)),
    );
    project.write('b.orch.yaml', typesOf('transformation', 'type: start', 'type: filter'));
    project.write(
      'c.tran.yaml',
      typesOf('transformation', 'type: filter', 'type: sql-executor', 'type: filtr'),
    );
    project.commit('Types');
    const { findings } = await project.review({ checks: { 'wrong-type': 'error' } });
    const found = findings.filter(({ file }) => !file.includes('/'));
    expect(found.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
      'a.orch.yaml:4 The component "C0" has no type, so it cannot run.',
      'a.orch.yaml:5 The component "C1" has no type, so it cannot run.',
      'a.orch.yaml:6 The component "C2" has no type, so it cannot run.',
      'a.orch.yaml:7 The component "C3" has the type "table-input", which only transformations have (.tran.yaml files).',
      ...['SQL-Executor', 'sql_executor', 'sql-exectuor', 'sql-executer'].map(
        (type, index) =>
          `a.orch.yaml:${8 + index} The component "C${4 + index}" has the type "${type}", which is not known. Did you mean "sql-executor"?`,
      ),
      'a.orch.yaml:12 The component "C8" has the type "query-to-scaler", which is not known. Did you mean "query-to-scalar"?',
      'b.orch.yaml:1 The type of the file is "transformation", but its name ends in .orch.yaml, and the name decides: it is read as an orchestration. Correct the type, or rename the file so that it ends in .tran.yaml.',
      'c.tran.yaml:5 The component "C1" has the type "sql-executor", which only orchestrations have (.orch.yaml files).',
    ]);
  });

  test('project variables are named, also by pattern', async () => {
    project.write('a.orch.yaml', `${empty}      parameters:\n        text: "\${env_name} \${other}"\n`);
    project.commit('Variables');
    const review = (...variables: string[]) =>
      project.review({ checks: { 'undeclared-variable': 'error' }, variables });

    expect((await review()).findings.map(({ subject }) => subject)).toEqual(['env_name', 'other']);
    expect((await review('env_*', 'other')).findings).toEqual([]);
  });

  test('a variable may have every name that the engine reads as one', async () => {
    const names = ['größe', 'ÄÖÜ', '数量', '_a', '$a', 'a$1'];
    const text = names.map((name) => `\${${name}}`).join(' ');
    project.write('a.orch.yaml', `${empty}      parameters:\n        text: '${text} \${a.größe} \${1a}'\n`);
    project.commit('Variables');
    const { findings } = await project.review({ checks: { 'undeclared-variable': 'error' } });
    expect(new Set(findings.map(({ subject }) => subject))).toEqual(new Set(names));
  });

  test('an id that was removed since the last tag of this line of history is found, one of another line is not', async () => {
    const shared = '.platform/shared-pipelines.yaml';
    const ids = (...names: string[]) =>
      `pipelines:\n${names.map((id) => `  - pipeline: p-${id}\n    id: ${id}\n`).join('')}`;
    project.write(shared, ids('one', 'two'));
    project.commit('Released');
    project.git('tag', 'v1');
    project.git('switch', '-q', '-c', 'other');
    project.write(shared, ids('one', 'two', 'three'));
    project.commit('Elsewhere');
    project.git('tag', 'v2');
    project.git('switch', '-q', 'main');
    project.write(shared, ids('one'));
    project.commit('Without two');
    const { findings } = await project.review({ checks: { 'shared-id-changed': 'error' } });

    expect(findings).toMatchObject([
      {
        file: shared,
        subject: 'two',
        message: expect.stringContaining('the last release (v1) had, was removed'),
      },
    ]);
  });
});
