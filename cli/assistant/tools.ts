import { z } from 'zod';

/** A tool of the MCP server: a command that only reads, with the arguments that the assistant may choose. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Whether the result comes from another machine. */
  readonly asksServer: boolean;
  /** The command line. A value is always behind `=` or `--`, so that it cannot be an option. */
  commandLine(input: unknown): readonly string[];
}

/** Checks the types of a tool once, where it is defined. */
function defineTool<Shape extends z.ZodRawShape>(
  tool: Omit<Tool, 'input' | 'commandLine'> & {
    readonly input: Shape;
    commandLine(input: z.output<z.ZodObject<Shape>>): readonly string[];
  },
): Tool {
  const input = z.strictObject(tool.input);
  return { ...tool, input, commandLine: (args) => tool.commandLine(input.parse(args)) };
}

const text = z.string().min(1).max(1000);
const files = z
  .array(text)
  .max(1000)
  .optional()
  .describe('Files, folders or globs, relative to the project. Default: all.');
const commit = text.optional().describe('Commit, branch or tag. Default: the files on disk.');

/** An option with its value, if it is given. */
function option(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

function filesOf(commitName: string | undefined): readonly string[] {
  return commitName === undefined ? ['--working-tree'] : [`--commit=${commitName}`];
}

/** All tools of the MCP server, each with the name of the command that it runs, if it runs one. */
export const tools: readonly Tool[] = [
  defineTool({
    name: 'review',
    title: 'Review pipelines',
    description:
      'Checks pipeline files against the quality rules on this machine. Returns the findings with file, line, rule and message.',
    input: {
      files,
      commit,
      scope: z
        .enum(['changed', 'all'])
        .optional()
        .describe('Which pipelines to review if no files are given.'),
    },
    asksServer: false,
    commandLine: (input) => [
      'review',
      '--local',
      ...filesOf(input.commit),
      ...option('scope', input.scope),
      '--',
      ...(input.files ?? []),
    ],
  }),
  defineTool({
    name: 'test',
    title: 'Run tests of pipelines',
    description:
      'Runs the tests of pipelines (*.test.yaml) on an embedded warehouse on this machine. Returns each test with its differences.',
    input: {
      files,
      filter: text.optional().describe('Only tests whose name contains this text.'),
      coverage: z
        .boolean()
        .optional()
        .describe('Also list the components and branches that no test reached.'),
    },
    asksServer: false,
    commandLine: (input) => [
      'test',
      ...option('filter', input.filter),
      ...(input.coverage === true ? ['--coverage'] : []),
      '--',
      ...(input.files ?? []),
    ],
  }),
  defineTool({
    name: 'diff',
    title: 'Compare the data before and after a change',
    description:
      'Runs the tests with the pipelines on disk and with the pipelines of a commit, on the same rows. Returns which rows of which tables are added, removed and changed.',
    input: {
      files,
      filter: text.optional().describe('Only tests whose name contains this text.'),
      base: text
        .optional()
        .describe(
          'Commit, branch or tag to compare with; for a branch that has moved on, its merge base with HEAD. Default: HEAD.',
        ),
    },
    asksServer: false,
    commandLine: (input) => [
      'diff',
      ...option('base', input.base),
      ...option('filter', input.filter),
      '--',
      ...(input.files ?? []),
    ],
  }),
  defineTool({
    name: 'compile',
    title: 'Find columns that pipelines read and no pipeline writes',
    description:
      'Checks the columns and types of the pipelines on disk, without data. Returns what cannot work, such as a removed column and the components that read it.',
    input: { base: text.optional().describe('Also report what the changes since this commit break.') },
    asksServer: false,
    commandLine: (input) => ['compile', ...option('base', input.base)],
  }),
  defineTool({
    name: 'affected',
    title: 'What a change affects',
    description:
      'Returns the pipelines, entry points and tests that the change since a commit affects, each with the path that leads to it.',
    input: { base: text.optional().describe('Commit, branch or tag to compare with. Default: HEAD.') },
    asksServer: false,
    commandLine: (input) => ['affected', ...option('base', input.base)],
  }),
  defineTool({
    name: 'lineage',
    title: 'Where a column comes from, and who reads it',
    description:
      'Returns the columns that a column or the columns of a table are computed from, and the components that read it, through files and pipelines.',
    input: { name: text.describe('TABLE, TABLE.COLUMN or DATABASE.SCHEMA.TABLE.COLUMN.') },
    asksServer: false,
    commandLine: ({ name }) => ['lineage', '--', name],
  }),
  defineTool({
    name: 'graph',
    title: 'Graph of calls and tables',
    description:
      'Returns which pipelines call which, with the findings that concern calls, and which component reads or writes which table.',
    input: {
      commit,
      around: text
        .optional()
        .describe(
          'Only this pipeline, its callers, and what it calls; or this table and the pipelines that use it.',
        ),
    },
    asksServer: false,
    commandLine: (input) => ['graph', ...filesOf(input.commit), ...option('around', input.around)],
  }),
  defineTool({
    name: 'lanes',
    title: 'Lanes of the worker',
    description:
      'Returns the lanes of a running worker with their live, verified and wanted versions, holds and pauses; or one lane with its history.',
    input: { lane: text.optional().describe('Name or id of a lane. Default: all lanes.') },
    asksServer: true,
    commandLine: ({ lane }) => ['lanes', '--', ...(lane === undefined ? [] : [lane])],
  }),
  defineTool({
    name: 'promotions',
    title: 'Promotions of the worker',
    description:
      'Returns the newest promotions of a running worker; or one promotion with its history and its executions.',
    input: {
      promotion: text.optional().describe('Id of a promotion. Default: the newest ones.'),
      lane: text.optional().describe('Only promotions of the lane with this id.'),
      limit: z.int().min(1).max(200).optional().describe('Maximum number of promotions. Default: 50.'),
    },
    asksServer: true,
    commandLine: (input) => [
      'promotions',
      ...option('lane', input.lane),
      ...option('limit', input.limit),
      '--',
      ...(input.promotion === undefined ? [] : [input.promotion]),
    ],
  }),
  defineTool({
    name: 'executions',
    title: 'An execution on the platform',
    description: 'Returns the status of one execution on the platform. A promotion names its executions.',
    input: { execution: text.describe('Id of the execution.') },
    asksServer: true,
    commandLine: ({ execution }) => ['api', `--param=pipelineExecutionId=${execution}`, 'executions.get'],
  }),
];
