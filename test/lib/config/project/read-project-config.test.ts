import { describe, expect, test } from 'vitest';
import { readProjectConfig } from '../../../../lib/config/project/read-project-config.ts';
import { Failure } from '../../../../lib/core/errors/failure.ts';

const project = '3f0f2c1e-0000-4000-8000-000000000001';

/** The example of the design, verbatim except for the project id. */
const full = `version: 1
project: ${project}
environments: [dev, test, prod]
files: { include: ["**/*.orch.yaml", "**/*.tran.yaml", "**/*.sql", "**/*.py"] }
review: { agent-version: "9.0.0", fail-on: error, scope: changed, baseline: .platform/review-baseline.json }
release: { tag: "v*", version: "{tag}", environment: dev, shared: { prefix: finance } }
lanes:
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
    version: tag               # tag | commit | latest | a literal
    policy: latest             # latest | every | cancel
    verify: [{ pipeline: daily/load, timeout: 30m }]
    on-failure: rollback       # rollback | hold
  - name: to-prod
    after: to-test             # runs when to-test has verified a version
    from: test
    to: prod
    gates: { approvals: 1, soak: 30m, freeze: [{ days: [sat, sun], zone: Europe/London }] }
    verify: [{ pipeline: daily/load, variables: { day: today } }]
`;

function problemsOf(text: string): string[] {
  try {
    readProjectConfig(text, 'millrace.yaml');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.code).toBe('config-invalid');
    expect(error.where?.file).toBe('millrace.yaml');
    const { problems } = error.details;
    if (!Array.isArray(problems)) throw new Error('no problems in the details', { cause: error });
    return problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
}

describe('a complete file', () => {
  test('the example of the design is parsed, with times in milliseconds', () => {
    const config = readProjectConfig(full, 'millrace.yaml');
    expect(config).toMatchObject({
      project,
      environments: ['dev', 'test', 'prod'],
      configDir: '.platform',
      review: {
        agentVersion: '9.0.0',
        failOn: 'error',
        scope: 'changed',
        baseline: '.platform/review-baseline.json',
      },
      release: { tag: 'v*', version: '{tag}', environment: 'dev', shared: { prefix: 'finance' } },
    });
    expect(config.lanes).toEqual([
      {
        name: 'to-test',
        on: { branches: [], tags: ['v*'] },
        from: 'dev',
        to: 'test',
        version: 'tag',
        policy: 'latest',
        versions: { order: 'auto', prereleases: true },
        verify: [{ pipeline: 'daily/load', timeout: 1_800_000, variables: {} }],
        onFailure: 'rollback',
        onConflict: 'wait',
        limits: {},
        gates: {
          approvals: 0,
          authorsMayApprove: true,
          checks: [],
          evidence: [],
          soak: 0,
          freeze: [],
          windows: [],
        },
      },
      {
        name: 'to-prod',
        after: 'to-test',
        from: 'test',
        to: 'prod',
        policy: 'latest',
        versions: { order: 'auto', prereleases: true },
        verify: [{ pipeline: 'daily/load', timeout: 3_600_000, variables: { day: 'today' } }],
        onFailure: 'hold',
        onConflict: 'wait',
        limits: {},
        gates: {
          approvals: 1,
          authorsMayApprove: true,
          checks: [],
          evidence: [],
          soak: 1_800_000,
          freeze: [{ days: ['sat', 'sun'], zone: 'Europe/London' }],
          windows: [],
        },
      },
    ]);
  });

  test('one line is enough, because everything else has a default', () => {
    expect(readProjectConfig('version: 1', 'millrace.yaml')).toEqual({
      version: 1,
      environments: [],
      configDir: '.platform',
      engine: { warehouse: 'WAREHOUSE_ONE' },
      files: { include: ['**/*.orch.yaml', '**/*.tran.yaml', '**/*.sql', '**/*.py'], exclude: [] },
      review: {
        agentVersion: undefined,
        failOn: 'error',
        scope: 'changed',
        suppress: [],
        suppressionComments: 'base',
        overrides: [],
        extendedFiles: [],
        checks: {},
        variables: [],
      },
      compile: { enabled: true, rules: {}, accept: [] },
      mutation: { equal: [] },
      release: { tag: 'v*', version: '{tag}' },
      outside: { schemas: [], streaming: [], provision: undefined },
      lanes: [],
    });
  });

  test.each([
    ['tags: [v*]', 'tag'],
    ['branches: [main]', 'commit'],
    ['branches: [main], tags: [v*]', 'commit'],
  ])('a lane on push of %s promotes the version of the %s', (push, version) => {
    const lane = `lanes: [{ name: a, on: { push: { ${push.replaceAll('v*', '"v*"')} } }, from: dev, to: test }]`;
    expect(readProjectConfig(`version: 1\n${lane}`, 'f').lanes[0]?.version).toBe(version);
  });
});

describe('problems and their positions', () => {
  test.each([
    ['', '1:1 `version` is missing; add `version: 1`'],
    ["version: '1'", '1:10 `version` must be 1 without quotes'],
    ['version: 2', '1:10 `version` must be 1'],
    ['version: "1"', '1:10 `version` must be 1'],
    ['[]', '1:1 the file must be a map of keys'],
    ['version: 1\nporject: x', '2:1 unknown key `porject`; did you mean "project"?'],
    [
      'version: 1\nreview:\n  agentversion: "9"',
      '3:3 unknown key `agentversion`; did you mean "agent-version"?',
    ],
    [
      'version: 1\nreview: { checks: { unknown-cal: error } }',
      '2:21 unknown key `unknown-cal`; did you mean "unknown-call"?',
    ],
    [
      'version: 1\nreview: { checks: { zebra: error } }',
      '2:21 unknown key `zebra`; known keys: unknown-call, call-cycle,',
    ],
    ['version: 1\nrun: make', '2:1 unknown key `run`; known keys: version, project, environments'],
    ['version: 1\nreview:\n  agent-version: 9.0', '3:18 `agent-version` must be text; put it in quotes'],
    ['version: 1\nproject: finance', '2:10 `project` must be a project id'],
    [
      'version: 1\nreview: { fail-on: eror }',
      '2:20 `fail-on` must be one of error, warning, notice, never; did you mean "error"?',
    ],
    ['version: 1\nfiles:', '`files` is empty; it must be a map of keys'],
    ['version: 1\nfiles: { include: [] }', '2:19 `include` must not be empty'],
    [
      'version: 1\nfiles: { include: ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"] }',
      '2:20 item 1 of `include` has braces',
    ],
    ['version: 1\nconfig-dir: ../other', '2:13 `config-dir` must be a path inside the project'],
    ['version: 1\nreview: { baseline: /etc/passwd }', '2:21 `baseline` must be a path inside the project'],
    ['version: 1\nrelease: { version: "{tga}" }', '2:21 `version` may contain {tag}'],
    ['version: 1\nenvironments: [dev, dev]', '2:21 environment "dev" is listed twice'],
    [
      'version: 1\nenvironments: [dev]\nrelease: { environment: dve }',
      '3:25 environment "dve" is not in `environments`; did you mean "dev"?',
    ],
    ['version: 1\nproject: a\nproject: b', '3:1'],
    ['version: 1\nfiles: [', '2:9'],
  ])('%j is answered with %s', (text, problem) => {
    const [first = ''] = problemsOf(text);
    expect(first).toContain(problem);
  });

  test.each([
    ['from: dev, to: test', 'needs either `on` (the pushes that start the lane) or `after`'],
    [
      'on: { push: { tags: [v] } }, after: b, from: dev, to: test',
      'needs either `on` (the pushes that start the lane) or `after`',
    ],
    ['on: { push: {} }, from: dev, to: test', '`push` needs `branches` or `tags`'],
    ['on: { pull: {} }, from: dev, to: test', 'unknown key `pull`; known keys: push'],
    ['after: b, from: dev, to: test', 'no lane of this file has the name "b"'],
    ['after: a, from: dev, to: test', 'lane "a" waits for itself, because `after` forms a cycle: a ← a;'],
    [
      'on: { push: { tags: [v] } }, from: dev, to: dev',
      'lane "a" has the environment "dev" in both `from` and `to`',
    ],
    ['on: { push: { branches: [main] } }, version: tag, from: dev, to: test', '`version` cannot be `tag`'],
    [
      'on: { push: { tags: [v] } }, from: dev, to: test, policy: newest',
      '`policy` must be one of latest, every, cancel',
    ],
    [
      'on: { push: { tags: [v] } }, from: dev, to: test, gates: { soak: 30 }',
      '`soak` must be a duration such as 90s, 30m, 2h or 1h30m',
    ],
    [
      'on: { push: { tags: [v] } }, from: dev, to: test, gates: { soak: "30" }',
      '`soak` must be a duration such as 90s',
    ],
    [
      'on: { push: { tags: [v] } }, from: dev, to: test, gates: { approvals: -1 }',
      '`approvals` must be at least 0',
    ],
    [
      'on: { push: { tags: [v] } }, from: dev, to: test, versions: { allow: "1.2 to 2" }',
      '`allow` must be a range of semantic versions such as ">=1.2 <2"',
    ],
    [
      'on: { push: { tags: [v] } }, from: dev, to: test, versions: { order: newest }',
      '`order` must be one of auto, semantic, time',
    ],
    [
      'on: { push: { branches: [main] } }, from: dev, to: test, versions: { prereleases: false }',
      '`versions` works only in a lane that starts on tags alone or has `after`',
    ],
    [
      'on: { push: { tags: [v] } }, from: dev, to: test, version: latest, versions: { allow: "1" }',
      '`versions` works only in a lane that starts on tags alone or has `after`',
    ],
    [
      'on: { push: { tags: [v] } }, from: dev, to: test, gates: { freeze: [{}] }',
      'item 1 of `freeze` needs `days`',
    ],
    [
      'on: { push: { tags: [v] } }, from: dev, to: test, gates: { freeze: [{ from: "18:00" }] }',
      'needs `from` and `to` together',
    ],
    [
      'on: { push: { tags: [v] } }, from: dev, to: test, gates: { freeze: [{ days: [sat], zone: Moon }] }',
      '`zone` must be a time zone',
    ],
    ['on: { push: { tags: [v] } }, from: dev, to: test, verify: [{ timeout: 5m }]', '`pipeline` is missing'],
    [
      'on: { push: { tags: [v] } }, from: dev, to: test, verify: [{ pipeline: p, variables: { a: [1] } }]',
      '`a` must be a single value',
    ],
  ])('a lane with { %s } is rejected: %s', (lane, problem) => {
    expect(problemsOf(`version: 1\nlanes:\n  - { name: a, ${lane} }`).join('\n')).toContain(problem);
  });

  test('variables of a verification keep the spelling of the file', () => {
    const values = {
      code: '007',
      ver: '1.10',
      id: '9007199254740993',
      rate: '1e3',
      flag: 'True',
      quoted: '"01"',
    };
    const written = Object.entries(values).map(([name, value]) => `${name}: ${value}`);
    const text = full.replace('{ day: today }', `{ ${written.join(', ')} }`);
    expect(readProjectConfig(text, 'millrace.yaml').lanes[1]?.verify[0]?.variables).toEqual({
      ...values,
      quoted: '01',
    });
  });

  test('lanes in a sequence must connect and must not form a cycle', () => {
    expect(problemsOf(full.replace('    from: test', '    from: dev'))).toEqual([
      '18:11 lane "to-prod" comes after "to-test", which ends in "test"; write `from: test`',
    ]);
    const lane = (name: string, after: string, from: string, to: string) =>
      `  - { name: ${name}, after: ${after}, from: ${from}, to: ${to} }\n`;
    const ring = `version: 1\nlanes:\n${lane('a', 'b', 'y', 'x')}${lane('b', 'a', 'x', 'y')}`;
    expect(problemsOf(ring)).toEqual([
      '3:23 lane "a" waits for itself, because `after` forms a cycle: a ← b ← a; remove one of these `after`',
      '4:23 lane "b" waits for itself, because `after` forms a cycle: b ← a ← b; remove one of these `after`',
    ]);
  });

  test('a lane after a cycle is not reported, and the validation ends', () => {
    const text = `version: 1\nlanes:\n  - { name: a, after: a, from: x, to: y }\n  - { name: b, after: a, from: y, to: z }`;
    expect(problemsOf(text).join()).not.toContain('"b" waits');
  });

  test('all problems are listed, in the order of the file', () => {
    const text = `version: 1\nporject: x\nlanes:\n  - { name: a, from: dev }\nreview: { scope: some }\nfiles: { includes: [] }`;
    const problems = problemsOf(text);
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['2:1', '4:5', '5:18', '6:10']);
    expect(() => readProjectConfig(text, 'x')).toThrow(
      /^4 problems:\n {2}2:1 .*\n {2}4:5 .*\n {2}5:18 .*\n {2}6:10 /,
    );
  });
});

describe('forbidden content', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;

  test.each([
    [
      'release: { shared: { prefix: "https://platform.example.com" } }',
      '2:30',
      'must not contain a web address',
    ],
    ['environments: ["redis://cache"]', '2:16', 'must not contain a web address'],
    [`project: ${token}`, '2:10', 'looks like a secret'],
    ['token: abcdefgh', '2:8', 'the name of "token" says that its value is a secret'],
    [
      'lanes: [{ verify: [{ variables: { db_password: hunter22 } }] }]',
      '2:48',
      'the name of "db_password" says that its value is a secret',
    ],
    ['environments: ["Bearer abcdefghij"]', '2:16', 'looks like a secret'],
  ])('%s is rejected at its position', (line, place, words) => {
    const problems = problemsOf(`version: 1\n${line}`);
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${place} .*${words}`)));
  });

  test('the message does not repeat a rejected secret', () => {
    expect(
      problemsOf(
        `version: 1\nproject: ${token}\nlanes: [{ verify: [{ variables: { token: hunter22 } }] }]`,
      ).join(),
    ).not.toMatch(/ghp_|hunter22/);
  });

  test('ordinary names are not taken for secrets', () => {
    const names = [
      'environments: [tokens, secret-santa, "a:b", "//x", AKIA]',
      'release: { shared: { prefix: "eyJx" } }',
    ];
    expect(problemsOf(`version: 1\n${names.join('\n')}`)).toEqual([]);
  });
});

test('a problem that ends with a question mark gets no full stop', () => {
  const failed = (text: string) => () => readProjectConfig(text, 'millrace.yaml');
  expect(failed('version: 1\nporject: x')).toThrow(/did you mean "project"\?$/u);
  expect(failed('version: 1\nproject: 7')).toThrow(/\.$/u);
});
