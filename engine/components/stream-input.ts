import type { ComponentType } from './component-type.ts';
import { bindTable } from './table-input.ts';
import { tableParameters } from './table-parameters.ts';

export const streamInput: ComponentType = {
  type: 'stream-input-sf',
  group: 'read',
  summary: 'Reads columns of a change stream. The engine reads a table instead, whose rows stay in it.',
  inputs: [0, 0],
  parameters: {
    ...tableParameters,
    targetStream: { form: 'text', meaning: 'the name of the stream' },
    columnNames: {
      form: 'names',
      meaning:
        'the columns, in the order of the output; they may include the columns that a stream adds, if the table has them',
    },
  },
  bind: (binding) => bindTable(binding, 'targetStream'),
};
