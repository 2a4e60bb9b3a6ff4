import { expect, test } from 'vitest';
import { readVariables } from '../../../lib/config/project/read-variables.ts';
import { applyVariables, diffVariables } from '../../../flows/variables/apply-variables.ts';
import { failedLines, variableLines } from '../../../flows/variables/variable-lines.ts';
import { defaultSeed } from '../../../platform/index.ts';
import { createFlowEnvironment, type FlowEnvironment } from '../flow-environment.ts';

const file = (text: string, name = 'variables.yaml') => readVariables(`version: 1\n${text}`, name);
const definitions = `variables:
  day: { type: TEXT, behaviour: SHARED, description: The business day, value: today }
  retries: { type: NUMBER, behaviour: COPIED, value: 3 }
`;
const values = `environments:
  dev: { day: yesterday }
  prod: { retries: 5, day: "2026-01-31" }
`;

async function apply(env: FlowEnvironment, text: string, prune = false) {
  return applyVariables({ files: [file(text)], prune }, env.context);
}

/** What the platform has, as one object. */
async function state(env: FlowEnvironment) {
  const { client, projectId } = env.context;
  const found: Record<string, unknown> = {};
  for await (const { name, value } of client.variables.list({ projectId })) {
    const { overrides } = await client.overrides.list({ projectId, variableName: name });
    found[name] = [
      value,
      Object.fromEntries(overrides.map(({ environmentName, value: own }) => [environmentName, own])),
    ];
  }
  return found;
}
const writes = (env: FlowEnvironment) => env.proxy.seen.filter((line) => !line.startsWith('GET'));

test('what the files say is made, and a second time there is nothing to do and nothing is sent', async () => {
  await using env = await createFlowEnvironment();
  const first = await apply(env, definitions + values);
  expect(first).toMatchObject({ outcome: 'passed', applied: true, failed: [], unmanaged: [] });
  expect(await state(env)).toEqual({
    day: ['today', { dev: 'yesterday', prod: '2026-01-31' }],
    retries: [3, { prod: 5 }],
  });
  const sent = writes(env).length;
  expect(await apply(env, definitions + values)).toMatchObject({ outcome: 'nothing-to-do', changes: [] });
  expect(writes(env)).toHaveLength(sent);
});

test('diff describes what apply would do and changes nothing', async () => {
  await using env = await createFlowEnvironment();
  await apply(env, definitions + values);
  const before = await state(env);
  const plan = await diffVariables(
    {
      files: [
        file(`variables:
  day: { type: TEXT, behaviour: SHARED, description: The day, value: tomorrow }
  region: { type: TEXT, behaviour: SHARED, value: north }
environments:
  dev: { day: yesterday, region: south }
  prod: { day: today }
`),
      ],
      prune: true,
    },
    env.context,
  );
  expect(variableLines(plan)).toEqual([
    '~ day',
    '    description: "The business day" → "The day"',
    '    value: "today" → "tomorrow"',
    '~ day in prod: "2026-01-31" → "today"',
    '+ region (TEXT, SHARED) = "north"',
    '+ region in dev = "south"',
    '- retries, with its values in prod',
    '2 to add, 2 to change, 1 to delete.',
  ]);
  expect(await state(env)).toEqual(before);
});

test('without --prune nothing is deleted, and what would be is named', async () => {
  await using env = await createFlowEnvironment();
  await apply(env, definitions + values);
  const report = await apply(
    env,
    'variables:\n  day: { type: TEXT, behaviour: SHARED, value: today }\nenvironments: { dev: {} }\n',
  );
  expect(report).toMatchObject({
    outcome: 'nothing-to-do',
    unmanaged: [{ variable: 'day', environment: 'dev' }, { variable: 'retries' }],
  });
  expect(variableLines(report)).toEqual([
    '? day in dev: only on the platform, not in the files; --prune deletes it',
    '? retries: only on the platform, not in the files; --prune deletes it',
    'The platform matches the files.',
  ]);
  expect(Object.keys(await state(env))).toEqual(['day', 'retries']);
});

test('a file for one environment prunes that environment only, and no variable', async () => {
  await using env = await createFlowEnvironment();
  await apply(env, definitions + values);
  await apply(env, 'environments: { prod: { day: today } }\n', true);
  expect(await state(env)).toEqual({
    day: ['today', { dev: 'yesterday', prod: 'today' }],
    retries: [3, {}],
  });
});

test('every change says type and behaviour, also where only the value changes (spec §4.6)', async () => {
  await using env = await createFlowEnvironment();
  await apply(env, definitions);
  await apply(env, definitions.replace('value: 3', 'value: 4'));
  expect(await state(env)).toEqual({ day: ['today', {}], retries: [4, {}] });
  expect(writes(env).filter((line) => line.startsWith('PATCH'))).toHaveLength(1);
});

test('a value that the platform does not take is failed with its cause; the others are set', async () => {
  await using env = await createFlowEnvironment({
    seed: {
      ...defaultSeed,
      credentials: [
        { name: 'super-admin', role: 'superAdmin' },
        { name: 'member', role: 'member' },
      ],
      projects: [
        {
          name: 'warehouse',
          environments: [
            { name: 'dev', defaultUserAccessLevel: 'admin' },
            { name: 'test', defaultUserAccessLevel: 'readOnly' },
          ],
          variables: [{ name: 'day', type: 'TEXT', behaviour: 'SHARED', value: 'today' }],
        },
      ],
    },
  });
  const { createClient } = await import('../../../client/index.ts');
  await using reader = createClient({
    baseUrl: env.platform.baseUrl,
    auth: { token: env.platform.tokens.member },
  });
  const report = await applyVariables(
    { files: [file('environments: { dev: { day: a }, test: { day: b } }\n')], prune: false },
    { ...env.context, client: reader },
  );
  expect(report).toMatchObject({ outcome: 'failed', applied: true });
  expect(failedLines(report.failed)).toEqual([
    '! day in test was rejected: No permission to create or edit overrides: the access level is readOnly, and this needs admin.',
  ]);
  expect(await state(env)).toEqual({ day: ['today', { dev: 'a' }] });
});

test.each([
  ['environments: { prd: { day: a } }\n', 'variables.yaml', 2, 'no environment "prd"; did you mean "prod"?'],
  ['environments:\n  prd:\n    day: a\n', 'variables.yaml', 3, 'no environment "prd"; did you mean "prod"?'],
  ['environments: { prod: { dya: a } }\n', 'variables.yaml', 2, 'variable "dya" is neither'],
  ['environments: { prod: { day: 1 } }\n', 'variables.yaml', 2, 'does not fit its type TEXT'],
])(
  'a wish that the platform cannot take is refused at its line before anything is sent: %s',
  async (text, name, line, words) => {
    await using env = await createFlowEnvironment();
    await apply(env, definitions);
    const sent = writes(env).length;
    await expect(apply(env, text)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(words) as string,
      where: { file: name, line },
    });
    expect(writes(env)).toHaveLength(sent);
  },
);

test.each([
  ['variables:\n  n: { type: NUMBER, behaviour: SHARED, value: "1" }\n', 'does not match the type'],
  ['variables:\n  n: { type: TEXT, behaviour: SHARED, value: 1 }\n', 'does not match the type'],
  ['variables:\n  n: { type: TEXT, value: a }\n', 'behaviour'],
  ['variables:\n  n: { type: DATE, behaviour: SHARED }\n', 'TEXT'],
  [
    'variables:\n  n: { type: TEXT, behaviour: SHARED, value: true }\n',
    '`value` must be a text or a number; put a date or true in quotes',
  ],
])('a file that cannot be is refused on its own: %s', (text, words) => {
  expect(() => file(text)).toThrow(
    expect.objectContaining({ code: 'config-invalid', where: expect.objectContaining({ line: 3 }) }) as Error,
  );
  expect(() => file(text)).toThrow(words);
});

test('two files may not say something about the same thing', async () => {
  await using env = await createFlowEnvironment();
  const files = [file(definitions, 'a.yaml'), file(definitions, 'b.yaml')];
  await expect(diffVariables({ files, prune: false }, env.context)).rejects.toMatchObject({
    message: 'variable "day" is given twice, first in a.yaml:3.',
    where: { file: 'b.yaml', line: 3 },
  });
});

test('a creation whose answer is lost is looked up and done once', async () => {
  await using env = await createFlowEnvironment();
  env.proxy.decide((line) =>
    line === `POST /v1/projects/${env.context.projectId}/variables` ? 'lose-answer' : 'pass',
  );
  expect(await apply(env, definitions)).toMatchObject({ outcome: 'passed' });
  expect(await state(env)).toEqual({ day: ['today', {}], retries: [3, {}] });
  expect(env.platform.ledger({ operation: 'variables.create' })).toHaveLength(2);
});

test('an interrupted apply continues when it is repeated', async () => {
  await using env = await createFlowEnvironment();
  let posts = 0;
  env.proxy.decide((line) => {
    if (!line.startsWith('POST')) return 'pass';
    posts += 1;
    return posts > 1 ? 'lose-request' : 'pass';
  });
  await expect(apply(env, definitions + values)).rejects.toMatchObject({ code: 'outcome-unknown' });
  env.proxy.decide(() => 'pass');
  expect(await apply(env, definitions + values)).toMatchObject({ outcome: 'passed' });
  expect(await state(env)).toEqual({
    day: ['today', { dev: 'yesterday', prod: '2026-01-31' }],
    retries: [3, { prod: 5 }],
  });
});

test('hundreds of variables are read and set', async () => {
  await using env = await createFlowEnvironment();
  const names = Array.from({ length: 250 }, (_, i) => `v${String(i).padStart(3, '0')}`);
  const text = `variables:\n${names.map((name) => `  ${name}: { type: NUMBER, behaviour: SHARED, value: 1 }\n`).join('')}`;
  await apply(env, text);
  expect(Object.keys(await state(env))).toHaveLength(250);
  expect(await apply(env, text)).toMatchObject({ outcome: 'nothing-to-do' });
});
