import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { reviewProject, rulesPath } from '../../flows/review/review-project.ts';
import { inProcess } from '../in-process.ts';

const rulesOf = (pattern: string) => `rules:
  - { id: component-naming-convention, enabled: true, enforcementLevel: error, config: { regexMatchPattern: '${pattern}' } }
  - { id: start-and-end-components, enabled: true, enforcementLevel: error }
`;
const config = `version: 1
review: { scope: all, checks: { dangling-reference: error, literal-environment: warning } }
`;

/** The options after `--fix`. */
const unsafe = '--unsafe-fixes';

interface Setting {
  readonly file?: string;
  readonly rules?: string;
}

/** Writes a pipeline and fixes it; `fix` can run again. */
function open(text: string, { file = 'a.orch.yaml', rules = 'rules: []\n' }: Setting = {}) {
  const project = reviewProject();
  project.write(rulesPath, rules);
  project.write('millrace.yaml', config);
  project.write(file, text);
  project.commit('A project');
  const full = path.join(project.directory, file);
  return {
    fix: (...options: string[]) =>
      inProcess(['review', '--local', '--working-tree', '--fix', ...options], {
        cwd: project.directory,
        env: { PATH: process.env.PATH ?? '' },
      }),
    read: () => readFileSync(full, 'utf8'),
    [Symbol.dispose]: () => project[Symbol.dispose](),
  };
}

/** The file after the unsafe fixes, which a second run does not change. */
async function fixed(text: string, setting?: Setting): Promise<string> {
  using project = open(text, setting);
  await project.fix(unsafe);
  const after = project.read();
  expect((await project.fix(unsafe)).stdout).toContain('Fixed 0 findings in 0 files.');
  expect(project.read()).toBe(after);
  return after;
}

describe('--unsafe-fixes renames components', () => {
  const text = [
    '\uFEFFpipeline: # ä',
    '  components:',
    '    "Read Orders": # Read Orders',
    '      type: table-input',
    "      parameters: { componentName: 'Read Orders' }",
    '    read_orders: { type: table-input }',
    '    Clean-It:',
    '      type: sql',
    '      sources: [ "Read Orders", read_orders ]',
    '      parameters:',
    '        query: >-',
    '          select * from $T{Read Orders}',
    '',
  ].join('\r\n');

  test('with all references, and keeps quotation marks, comments and line ends', async () => {
    const rules = rulesOf('[a-z_]+');
    const free = text.replaceAll('read_orders', 'others');
    expect(await fixed(free, { file: 'a.tran.yaml', rules })).toBe(
      free
        .replace('"Read Orders":', '"read_orders":')
        .replace("'Read Orders'", "'read_orders'")
        .replace('[ "Read Orders"', '[ "read_orders"')
        .replace('$T{Read Orders}', '$T{read_orders}')
        .replace('Clean-It', 'clean_it'),
    );
  });

  test.each([
    ['[a-z]+(_[a-z0-9]+)*', 'load_new_orders2', 'très_bien'],
    ['[A-Z][A-Za-z0-9]*', 'LoadNewOrders2', 'TresBien'],
    ['[a-z][A-Za-z0-9]*', 'loadNewOrders2', 'tresBien'],
    ['[a-z]+(-[a-z0-9]+)*', 'load-new-orders2', 'tres-bien'],
    ['[A-Z]+(_[A-Z0-9]+)*', 'LOAD_NEW_ORDERS2', 'TRES_BIEN'],
    ['[A-Z][a-z]+( [A-Z][a-z0-9]+)*', 'Load New Orders2', 'Tres Bien'],
    ['[A-Z][a-z]+( [a-z0-9]+)*', 'Load new orders2', 'Tres bien'],
  ])('by the pattern %s to %s and %s', async (pattern, first, second) => {
    const of = (a: string, b: string) => `pipeline: { components: { ${a}: {}, ${b}: {} } }\n`;
    const after = await fixed(of('load new-Orders2', 'très--bien'), {
      file: 'a.tran.yaml',
      rules: rulesOf(pattern),
    });
    expect(after.normalize('NFKD').replaceAll(/\p{M}/gu, '')).toBe(
      of(first, second).normalize('NFKD').replaceAll(/\p{M}/gu, ''),
    );
  });

  test('to names that differ where two would be the same', async () => {
    const before = 'pipeline: { components: { A b: {}, a B: {} } }\n';
    using project = open(before, { file: 'a.tran.yaml', rules: rulesOf('[a-z]+(_[a-z]+)?') });
    const { stdout } = await project.fix(unsafe);
    expect(project.read()).toBe('pipeline: { components: { a_b: {}, ab: {} } }\n');
    expect(stdout).toContain('Fixed 2 findings in 1 file.');
  });

  test('but not to a name that a reference without a component has', async () => {
    const before =
      'pipeline:\n  components:\n    Load It: { type: x }\n    b: { type: y, sources: [load_it, Load It] }\n';
    using project = open(before, { file: 'a.tran.yaml', rules: rulesOf('[a-z]+(_[a-z]+)?') });
    await project.fix(unsafe);
    expect(project.read()).toBe(before.replace('Load It:', 'loadit:').replace('Load It]', 'loadit]'));
  });

  test('and explains the ones that it keeps', async () => {
    const before = 'pipeline:\n  components:\n    Load: {}\n    ? &a Other\n    : { sources: [*a] }\n';
    using project = open(before, { file: 'a.tran.yaml', rules: rulesOf('x_[a-z]+') });
    const { stdout } = await project.fix(unsafe);
    expect(project.read()).toBe(before);
    expect(stdout).toContain(
      'a.tran.yaml:3 No usual spelling of "Load" matches the pattern and is unused in the file.',
    );
    expect(stdout).not.toContain('without an automatic fix');
  });
});

test('--unsafe-fixes writes [Environment Default] in place of a fixed environment', async () => {
  const before = [
    'pipeline:',
    '  components:',
    '    a:',
    '      type: sql',
    '      parameters:',
    '        schema: "DEV" # why',
    "        database: 'DEV'",
    '        warehouse: DEV',
    '        targetSchema: ${x}',
    '        otherSchema: |',
    '          DEV',
    '',
  ].join('\n');
  using project = open(before);
  const { stdout } = await project.fix(unsafe);
  expect(project.read()).toBe(
    before
      .replace('"DEV"', '"[Environment Default]"')
      .replace("'DEV'", "'[Environment Default]'")
      .replace('warehouse: DEV', 'warehouse: "[Environment Default]"'),
  );
  expect(stdout).toContain('Not fixed:\n  a.orch.yaml:10 The value has several lines');
});

describe('a value that an anchor shares with another place stays, with the reason', () => {
  test.each([
    [
      'an environment that is also SQL',
      'a: { type: sql, parameters: { schema: &e DEV, query: *e } }',
      'a.orch.yaml:3 The value has several lines, is an alias or has an anchor.',
    ],
    [
      'an environment with a tag after the anchor',
      'a: { type: sql, parameters: { schema: &e !!str DEV, query: *e } }',
      'a.orch.yaml:3 The value has several lines, is an alias or has an anchor.',
    ],
    [
      'an environment inside of parameters that are shared',
      'a: { type: sql, parameters: &p { schema: DEV } }\n    b: { type: other, parameters: { rows: [*p] } }',
      'a.orch.yaml:3 The fix would change another value of the file too',
    ],
  ])('%s', async (_title, component, reason) => {
    const before = `pipeline:\n  components:\n    ${component}\n`;
    using project = open(before);
    const { stdout } = await project.fix(unsafe);
    expect(project.read()).toBe(before);
    expect(stdout).toContain('Fixed 0 findings in 0 files.');
    expect(stdout).toContain(reason);
  });

  test.each([
    ['a component name', 'Old:\n      type: sql\n      parameters: { componentName: &n Old, query: *n }'],
    ['a key', '&n Old:\n      type: sql\n      parameters: { query: *n }'],
    ['a key with a tag', '&n !!str Old:\n      type: sql\n      parameters: { query: *n }'],
    ['a transition', 'Old: { type: sql, parameters: { query: *n } }'],
  ])('%s', async (title, component) => {
    const first = title === 'a transition' ? 'one: { type: sql, sources: [&n Old] }\n    ' : '';
    const before = `pipeline:\n  components:\n    ${first}${component}\n`;
    using project = open(before, { file: 'a.tran.yaml', rules: rulesOf('[a-z]+') });
    const { stdout } = await project.fix(unsafe);
    expect(project.read()).toBe(before);
    expect(stdout).toMatch(/"Old" is written as an alias, with an anchor/);
  });

  test('and the other fixes of the file are made', async () => {
    const before = `pipeline:
  components:
    a: { type: sql, parameters: &p { schema: DEV } }
    b: { type: other, parameters: { rows: [*p] } }
    c: { type: sql, parameters: { schema: TEST, database: &d X } }
`;
    using project = open(before);
    const { stdout } = await project.fix(unsafe);
    expect(project.read()).toBe(before.replace('TEST', '"[Environment Default]"'));
    expect(stdout).toContain('Fixed 1 finding in 1 file.');
  });
});

describe('--unsafe-fixes ends branches', () => {
  const rules = rulesOf('.*');

  test('at one new end component, in the form of the file', async () => {
    const before = [
      'pipeline:',
      '  components:',
      '    Start:',
      "      type: 'start'",
      '      transitions: { success: [A, B, C] }',
      '    A: { type: sql-script } # one',
      '    C: { }',
      '    B:',
      "      type: 'sql-script'",
      '      parameters:',
      "        componentName: 'B'",
      '        sqlScript: |',
      '          select 1',
      '    # The variables',
      '  variables: {}',
      '',
    ].join('\r\n');
    const after = await fixed(before, { rules });
    expect(after).toBe(
      before
        .replace(
          'A: { type: sql-script }',
          'A: { type: sql-script, transitions: { success: ["End Success"] } }',
        )
        .replace(
          '          select 1\r\n',
          [
            '          select 1',
            '      transitions:',
            '        success:',
            "          - 'End Success'",
            '    End Success:',
            '      type: end-success',
            '',
          ].join('\r\n'),
        ),
    );
  });

  test('at the end component that exists, also in a file without a last line end', async () => {
    const before =
      'pipeline:\n  components:\n    Done: { type: end-success }\n    Start:\n      type: "start"';
    expect(await fixed(before, { rules })).toBe(
      `${before}\n      transitions:\n        success:\n          - "Done"`,
    );
  });

  test('at a new one whose name matches the pattern', async () => {
    const before = 'pipeline:\n  components:\n    start:\n      type: "start" # go';
    expect(await fixed(before, { rules: rulesOf('[a-z_]+') })).toBe(
      `${before}\n      transitions:\n        success:\n          - "end_success"\n    end_success:\n      type: "end-success"`,
    );
  });

  test('after their components are renamed', async () => {
    const before = 'pipeline:\n  components:\n    Start: { type: start }\n    End: { type: end-success }\n';
    expect(await fixed(before, { rules: rulesOf('[a-z]+') })).toBe(
      'pipeline:\n  components:\n    start: { type: start, transitions: { success: ["end"] } }\n    end: { type: end-success }\n',
    );
  });

  test.each([
    ['    Start: { type: start, transitions: { success: [Start] } }\n', 'The branch continues, but never'],
    ['    Start: { type: start, transitions: {} }\n', 'Millrace cannot add the transition'],
    ['    Start: { type: start # why\n      }\n', 'Millrace cannot add the transition'],
    [
      '    Start: { type: start, transitions: { success: If } }\n    If: { type: if }\n',
      'An `if` continues on true and on false.',
    ],
    ['    A: { type: sql-script }\n', 'Add a start component by hand'],
  ])('but not for %j', async (components, reason) => {
    const before = `pipeline:\n  components:\n${components}`;
    using project = open(before, { rules });
    const { stdout } = await project.fix(unsafe);
    expect(project.read()).toBe(before);
    expect(stdout).toContain(reason);
  });
});

describe('the number of unsafe fixes', () => {
  const before = 'pipeline:\n  components:\n    Start: { type: start, parameters: { schema: DEV } }\n';

  test('is in the output without the option, and nothing is written', async () => {
    using project = open(before, { rules: rulesOf('.*') });
    const { stdout, code } = await project.fix();
    expect(stdout).toContain(
      'Fixed 0 findings in 0 files.\n`--unsafe-fixes` would fix 2 more: their fixes change names or behaviour.\n',
    );
    expect(stdout).not.toContain('Not fixed');
    expect(code).toBe(1);
    expect(project.read()).toBe(before);
    expect(JSON.parse((await project.fix('--json')).stdout)).toMatchObject({
      fixes: { unsafe: 2, files: [] },
    });
  });

  test('is 0 with the option; a dry run shows the diff and writes nothing', async () => {
    using project = open(before, { rules: rulesOf('.*') });
    const { fixes } = JSON.parse((await project.fix(unsafe, '--dry-run', '--json')).stdout) as {
      fixes: { diff: string };
    };
    expect(fixes).toMatchObject({ unsafe: 0, dryRun: true, files: [{ file: 'a.orch.yaml', count: 2 }] });
    expect(fixes.diff).toContain(
      '+    Start: { type: start, parameters: { schema: "[Environment Default]" }, ',
    );
    expect(project.read()).toBe(before);
  });
});

test('--unsafe-fixes without --fix is refused', async () => {
  using project = reviewProject();
  project.commit('A project');
  const ended = await inProcess(['review', '--local', '--unsafe-fixes'], {
    cwd: project.directory,
    env: { PATH: process.env.PATH ?? '' },
  });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--unsafe-fixes needs --fix.') });
});
