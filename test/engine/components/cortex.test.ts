import { expect, test } from 'vitest';
import { componentType } from '../../../engine/components/component-types.ts';
import { NUMBER, TEXT } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const outputOf = outputs();

const tables = { reviews: { columns: { ID: NUMBER, TEXT }, rows: [[1, 'good']] } } as const;

function calling(type: string, parameters: string): string {
  return `
reviews:
  type: table-input
  parameters: { targetTable: reviews, columnNames: [ID, TEXT] }
Ask it:
  type: ${type}
  sources: [reviews]
  parameters: { ${parameters} }
`;
}

const input = '"ID" NUMBER(38,0), "TEXT" VARCHAR';

test.each([
  [
    'cortex-completions',
    'includeInputColumns: Yes, model: m, systemPrompt: s, userPrompt: u, temperature: "0.1", maxTokens: "9", topP: "1", inputs: [[TEXT, Review]]',
    `${input}, "completion_result" VARIANT`,
  ],
  ['cortex-sentiment', 'includeInputColumns: No, columns: [TEXT]', '"sentiment_TEXT" FLOAT'],
  ['cortex-translate', 'includeInputColumns: No, columns: [[TEXT, French, English]]', '"en_TEXT" VARCHAR'],
  ['cortex-summarize', 'columns: [TEXT]', `${input}, "summarize_TEXT" VARCHAR`],
  [
    'cortex-extract-answer',
    'includeInputColumns: No, columns: [[TEXT, "How good?", the answer]]',
    '"the answer" VARCHAR',
  ],
  ['cortex-extract-answer', 'columns: [[TEXT, "How good?", text]]', '"ID" NUMBER(38,0), "text" VARCHAR'],
])('%s asks for a mock with its output columns', async (type, parameters, columns) => {
  await expect(outputOf(calling(type, parameters), { tables })).rejects.toThrow(
    `a.tran.yaml:8:5: Millrace does not support the component type ${type}; mock the component, with the columns ${columns}`,
  );
  expect(componentType(type)?.group).toBe('mocked');
});

test('a mock gives the whole output', async () => {
  const output = {
    kind: 'rows',
    sql: `SELECT CAST(1.0 AS DOUBLE) AS "sentiment_TEXT"`,
    columns: [{ name: 'sentiment_TEXT', type: { name: 'FLOAT' } }],
  } as const;
  const components = calling('cortex-sentiment', 'includeInputColumns: No, columns: [TEXT]');
  const { rows } = await outputOf(components, { tables, outputs: new Map([['Ask it', output]]) });
  expect(rows).toEqual([[1]]);
});

test.each([
  [
    'an unknown column',
    'cortex-sentiment',
    'includeInputColumns: No, columns: [NOPE]',
    /"NOPE" was not found/,
  ],
  [
    'an unknown language',
    'cortex-translate',
    'includeInputColumns: No, columns: [[TEXT, French, Elvish]]',
    /the language Elvish/,
  ],
  [
    'a name twice',
    'cortex-summarize',
    'includeInputColumns: No, columns: [TEXT, TEXT]',
    /two output columns have the name "summarize_TEXT"/,
  ],
])('%s is an error', async (_title, type, parameters, message) => {
  await expect(outputOf(calling(type, parameters), { tables })).rejects.toThrow(message);
});

test('on a warehouse of kind 2, output names are folded to lower case', async () => {
  const lower = { reviews: { columns: { id: NUMBER, text: TEXT }, rows: [] } };
  await expect(
    outputOf(calling('cortex-sentiment', 'includeInputColumns: No, columns: [TEXT]'), {
      tables: lower,
      kind: 'WAREHOUSE_TWO',
    }),
  ).rejects.toThrow('"sentiment_text" FLOAT');
});
