import type { TaskType } from '../task/task.ts';

const types: Readonly<Record<string, string>> = {
  'create-file-format': 'Defines a file format of the warehouse.',
  'alter-warehouse': 'Changes the compute size.',
  'refresh-external-table': 'Refreshes the list of files of an external table.',
};

/** Component types that have no effect on a single machine. They succeed with a message that says so. */
export const withoutEffect: readonly TaskType[] = Object.entries(types).map(([type, summary]) => ({
  type,
  summary: `${summary} It has no effect in Millrace.`,
  parameters: {},
  ignored: /^/,
  run: async () => ({ message: 'It has no effect in Millrace.' }),
}));
