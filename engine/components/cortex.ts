import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import type { SourceText } from '../core/source-text.ts';
import { readYesNo } from '../parameters/parameter-reader.ts';
import { readNames, readRows } from '../parameters/read-rows.ts';
import { type Binding, type ComponentType, onlyInput, type Parameter } from './component-type.ts';
import { checkColumns, findInputColumn, storedName } from './find-column.ts';
import { includeInputColumns } from './include-input.ts';
import { NeedsMock } from './needs-mock.ts';
import { placeOf, requiredCell, requiredRows } from './read-cells.ts';
import { TEXT } from './select-list.ts';

/**
 * A component type that calls an AI model. It cannot run on a single machine and needs a mock, but its output columns
 * are known.
 */
function calling(
  type: string,
  summary: string,
  parameters: Readonly<Record<string, Parameter>>,
  outputs: (binding: Binding) => readonly Column[],
): ComponentType {
  return {
    type,
    group: 'mocked',
    summary,
    inputs: [1, 1],
    parameters: { includeInputColumns, ...parameters },
    bind(binding) {
      // Only the lines of the mock depend on this parameter.
      const hasInput = readYesNo(childOf(binding.parameters, 'includeInputColumns'), binding.reader, true);
      const added = outputs(binding).map((column) => ({
        ...column,
        name: storedName(column.name, binding.dialect.warehouse),
      }));
      const names = new Set(added.map(({ name }) => name.toLowerCase()));
      // A mock cannot have two columns whose names differ in case only. The new column stays: the component is there to
      // make it.
      const before = hasInput
        ? onlyInput(binding).columns.filter(({ name }) => !names.has(name.toLowerCase()))
        : [];
      const place = placeOf(binding, Object.keys(parameters).at(-1) ?? '');
      throw new NeedsMock(binding, checkColumns([...before, ...added], place));
    },
  };
}

const VARIANT = { name: 'VARIANT' } as const;
const FLOAT = { name: 'FLOAT' } as const;

export const cortexCompletions = calling(
  'cortex-completions',
  'Adds `completion_result`, the answer of an AI model to a prompt.',
  {
    model: { form: 'text', meaning: 'the name of the model' },
    systemPrompt: { form: 'text', meaning: 'the instructions of the model' },
    userPrompt: { form: 'text', meaning: 'the question' },
    temperature: { form: 'number', meaning: 'how much answers vary' },
    maxTokens: { form: 'number', meaning: 'the length of an answer' },
    topP: { form: 'number', meaning: 'how much answers vary' },
    inputs: { form: 'rows', cells: 2, meaning: 'in each row: a column, and its name in the prompt' },
  },
  (binding) => {
    const rows = readRows(childOf(binding.parameters, 'inputs'), binding.reader);
    for (const row of rows) inputColumn(binding, requiredCell(row, 0, 'column'));
    return [{ name: 'completion_result', type: VARIANT }];
  },
);

export const cortexSentiment = calling(
  'cortex-sentiment',
  'Adds a column `sentiment_COLUMN` for each column: a number from -1 (negative) to 1 (positive).',
  { columns: { form: 'names', meaning: 'the columns with texts' } },
  (binding) => prefixed(binding, 'sentiment', FLOAT),
);

export const cortexSummarize = calling(
  'cortex-summarize',
  'Adds a column `summarize_COLUMN` with a summary for each column.',
  { columns: { form: 'names', meaning: 'the columns with texts' } },
  (binding) => prefixed(binding, 'summarize', TEXT),
);

export const cortexTranslate = calling(
  'cortex-translate',
  'Adds a translation of each column; its name starts with the code of the language, as in `en_COLUMN`.',
  {
    columns: {
      form: 'rows',
      cells: 3,
      meaning: 'in each row: a column, the language of its texts, and the language of the translation',
    },
  },
  (binding) =>
    requiredRows(binding, 'columns').map((row) => {
      const { name } = inputColumn(binding, requiredCell(row, 0, 'column'));
      return { name: `${codeOf(requiredCell(row, 2, 'language'))}_${name}`, type: TEXT };
    }),
);

export const cortexExtractAnswer = calling(
  'cortex-extract-answer',
  'Adds the answers to questions about columns.',
  {
    columns: {
      form: 'rows',
      cells: 3,
      meaning: 'in each row: a column, a question, and the name of the output column',
    },
  },
  (binding) =>
    requiredRows(binding, 'columns').map((row) => {
      inputColumn(binding, requiredCell(row, 0, 'column'));
      return { name: requiredCell(row, 2, 'output column').text, type: TEXT };
    }),
);

function prefixed(binding: Binding, prefix: string, type: Column['type']): readonly Column[] {
  requiredRows(binding, 'columns');
  return readNames(childOf(binding.parameters, 'columns'), binding.reader).map((written) => ({
    name: `${prefix}_${inputColumn(binding, written).name}`,
    type,
  }));
}

function inputColumn(binding: Binding, name: SourceText): Column {
  return findInputColumn(name, onlyInput(binding), binding.dialect);
}

const languages: ReadonlyMap<string, string> = new Map([
  ['chinese', 'zh'],
  ['dutch', 'nl'],
  ['english', 'en'],
  ['french', 'fr'],
  ['german', 'de'],
  ['hindi', 'hi'],
  ['italian', 'it'],
  ['japanese', 'ja'],
  ['korean', 'ko'],
  ['polish', 'pl'],
  ['portuguese', 'pt'],
  ['russian', 'ru'],
  ['spanish', 'es'],
  ['swedish', 'sv'],
]);

function codeOf(language: SourceText): string {
  const code = languages.get(language.text.trim().toLowerCase());
  if (code !== undefined) return code;
  throw new Refusal(`the language ${language.text}`, language.placeOf(0), 'mock the component');
}
