import type { ComponentType } from './component-type.ts';
import { bindTable } from './table-input.ts';
import { tableParameters } from './table-parameters.ts';

export const streamInput: ComponentType = {
  type: 'stream-input-sf',
  group: 'read',
  summary: 'Reads columns of a change stream: here, a table with its rows, which stay in it.',
  inputs: [0, 0],
  parameters: {
    ...tableParameters,
    targetStream: { form: 'text', meaning: 'the stream' },
    columnNames: {
      form: 'names',
      meaning: 'the columns, in the order of the output; the stream’s own columns too if the table has them',
    },
  },
  bind: (binding) => bindTable(binding, 'targetStream'),
};
