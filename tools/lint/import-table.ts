/** What the files of a folder may import besides each other. */
export interface ImportRule {
  /** Other folders of this table. */
  readonly folders: readonly string[];
  /** npm packages; any dependency where absent. Modules of Node are always allowed. */
  readonly packages?: readonly string[];
}

/** Folders from top to bottom: each may import those below it. Folders in one row do not import each other. */
type Layers = readonly (string | readonly string[])[];

function layered(
  layers: Layers,
  foundation: readonly string[],
  packages?: readonly string[],
): Record<string, ImportRule> {
  const rows = layers.map((row) => (typeof row === 'string' ? [row] : row));
  return Object.fromEntries(
    rows.flatMap((row, index) => {
      const below = rows.slice(index + 1).flat();
      const rule = { folders: [...below, ...foundation], ...(packages === undefined ? {} : { packages }) };
      return row.map((folder) => [folder, rule]);
    }),
  );
}

const libraries: Record<string, ImportRule> = {
  'lib/core': { folders: [], packages: [] },
  'lib/html': { folders: ['lib/core'], packages: [] },
  'lib/yaml': { folders: ['lib/core'], packages: ['js-yaml', 'yaml'] },
  'lib/git': { folders: ['lib/core'], packages: [] },
  'lib/contract': { folders: [], packages: ['zod'] },
  'lib/pipelines': { folders: ['lib/yaml', 'lib/core'], packages: ['re2js'] },
  'lib/config': { folders: ['lib/yaml', 'lib/core'], packages: ['yaml', 'zod'] },
  'lib/http': { folders: ['lib/core'], packages: ['undici'] },
  'lib/github': { folders: ['lib/git', 'lib/http', 'lib/core'] },
  'lib/redis': { folders: ['lib/core'], packages: ['ioredis'] },
};

const client = layered(
  ['client/index.ts', 'client/middlewares', 'client'],
  ['lib/contract', 'lib/http', 'lib/core'],
);

// No GitHub, no Redis, no terminal: those come in as ports.
const belowFlows = [
  'client/index.ts',
  'lib/pipelines',
  'lib/config',
  'lib/git',
  'lib/yaml',
  'lib/http',
  'lib/core',
];
const flows = layered(
  [
    'flows/index.ts',
    [
      'flows/audit',
      'flows/doctor',
      'flows/drift',
      'flows/graph',
      'flows/init',
      'flows/metrics',
      'flows/promote',
      'flows/provision',
      'flows/publish',
      'flows/rollback',
      'flows/streaming',
      'flows/variables',
    ],
    ['flows/review', 'flows/run'],
    ['flows/project', 'flows/push', 'flows/versions'],
    'flows/context',
  ],
  belowFlows,
  ['semver', 'zod'],
);

// Never the client: an error in one would hide the same error in the other.
const platform = layered(
  [
    'platform/index.ts',
    'platform/app',
    'platform/server',
    'platform/control',
    'platform/inspector',
    ['platform/operations', 'platform/planting'],
    'platform/upload',
    'platform/world',
    'platform/seed',
    'platform/faults',
    ['platform/clock', 'platform/random', 'platform/refusal', 'platform/review', 'platform/store'],
  ],
  ['engine/index.ts', 'lib/contract', 'lib/html', 'lib/pipelines', 'lib/yaml', 'lib/git', 'lib/core'],
);

// Nothing of the product, so that it can be wrong only in its own way.
const localGitHub = layered(
  [
    'local-github/index.ts',
    'local-github/server',
    ['local-github/pages', 'local-github/routes'],
    'local-github/graphql',
    'local-github/routes',
    'local-github/apps',
    'local-github/state',
    'local-github/git',
    'local-github/answers',
  ],
  [],
  ['zod'],
);

// No HTTP, no worker, no contract: pipelines, variables, a warehouse and a clock come in.
const engine = layered(
  [
    'engine/index.ts',
    'engine/execution',
    ['engine/orchestration', 'engine/tables', 'engine/transformation'],
    'engine/components',
    'engine/parameters',
    'engine/expressions',
    'engine/dialect',
    ['engine/duckdb', 'engine/python'],
    'engine/core',
  ],
  ['lib/pipelines', 'lib/yaml', 'lib/core'],
  ['@duckdb/node-api', 're2js', 'zod'],
);

// The only use case that runs pipelines on this machine.
flows['flows/test'] = { folders: ['engine/index.ts', ...belowFlows], packages: ['zod'] };

// It runs the pipelines of tests twice: as they are, and as they were.
flows['flows/diff'] = {
  folders: ['flows/test', 'engine/index.ts', ...belowFlows],
  packages: ['zod'],
};

// What an editor shows is what a review and a test find.
flows['flows/editor'] = {
  folders: ['flows/review', 'flows/test', 'flows/context', 'engine/index.ts', ...belowFlows],
  packages: [],
};

const belowEntrances = [...Object.keys(flows), 'lib/github', 'lib/contract', ...belowFlows];

const worker = layered(
  [
    'worker/app',
    'worker/intake',
    ['worker/reporting', 'worker/web'],
    'worker/promotion',
    'worker/settings',
    'worker/rate-limit',
    'worker/store',
    'worker/telemetry',
    ['worker/operators', 'worker/records'],
  ],
  ['lib/html', 'lib/redis', ...belowEntrances],
);

const actions = layered(
  [
    'actions/index.ts',
    'actions/publish',
    [
      'actions/diff',
      'actions/drift',
      'actions/promote',
      'actions/publish-shared',
      'actions/pull-request',
      'actions/review',
      'actions/rollback',
      'actions/run',
      'actions/test',
      'actions/variables',
    ],
    'actions/kit',
  ],
  belowEntrances,
);

const cli = layered(
  [
    'cli',
    'cli/commands',
    ['cli/assistant', 'cli/language-server', 'cli/results'],
    'cli/webhook',
    'cli/demo',
    'cli/kit',
    'cli/terminal',
  ],
  [
    'worker/app',
    'worker/intake',
    'worker/records',
    'worker/reporting',
    'worker/settings',
    'worker/telemetry',
    'platform/index.ts',
    'local-github/index.ts',
    'lib/redis',
    'client',
    ...belowEntrances,
  ],
);

/** Which folder may import which: read by the linter while one types, and by the test of the layers. */
export const importTable: Readonly<Record<string, ImportRule>> = {
  ...cli,
  ...actions,
  ...worker,
  ...platform,
  ...localGitHub,
  ...engine,
  ...flows,
  ...client,
  ...libraries,
};

/** Folders whose files may import everything. */
export const freeFolders = ['docs', 'examples', 'test', 'tools'];
