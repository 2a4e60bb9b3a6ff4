import { belowFlows, flows } from './flow-imports.ts';
import { type ImportRule, layered, merged, withRooms } from './layers.ts';
import { libraries } from './library-imports.ts';

const client = layered(
  [
    'client/index.ts',
    ['client', 'client/middlewares'],
    'client/tokens',
    'client/calls',
    'client/interface',
    'client/request',
    'client/errors',
    'client/transport',
  ],
  ['lib/contract', 'lib/http', 'lib/core'],
);

// Never the client: an error in one would hide the same error in the other.
const platform = withRooms(
  layered(
    [
      'platform/index.ts',
      'platform/app',
      'platform/server',
      'platform/control',
      'platform/inspector',
      ['platform/operations', 'platform/planting'],
      'platform/upload',
      'platform/world',
      'platform/streaming',
      'platform/seed',
      'platform/faults',
      ['platform/clock', 'platform/random', 'platform/refusal', 'platform/review', 'platform/store'],
    ],
    [
      'engine/index.ts',
      'lib/contract',
      'lib/drawing',
      'lib/html',
      'lib/http',
      'lib/pipelines',
      'lib/yaml',
      'lib/git',
      'lib/core',
    ],
  ),
  {
    'platform/inspector': ['.', 'pages', 'parts'],
    'platform/streaming': ['capture', 'target', 'source'],
  },
);

// Nothing of the product, so that it can be wrong only in its own way.
const localGitHub = layered(
  [
    'local-github/index.ts',
    'local-github/server',
    'local-github/pages',
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
const engine = withRooms(
  layered(
    [
      'engine/index.ts',
      'engine/binding',
      'engine/execution',
      ['engine/orchestration', 'engine/tables', 'engine/transformation'],
      'engine/components',
      'engine/parameters',
      'engine/expressions',
      'engine/dialect',
      'engine/lineage',
      ['engine/duckdb', 'engine/python'],
      'engine/core',
    ],
    ['lib/pipelines', 'lib/yaml', 'lib/core'],
    ['@duckdb/node-api', 're2js', 'zod'],
  ),
  {
    'engine/execution': ['.', 'walk', 'simulate', 'run'],
    'engine/orchestration': ['components', 'mocks', 'task'],
    'engine/dialect': ['.', 'statement', 'write', 'parse'],
    'engine/duckdb': ['.', 'values', 'connection', 'catalog'],
  },
);

const belowEntrances = ['flows', 'lib/github', 'lib/contract', ...belowFlows];

const worker = withRooms(
  layered(
    [
      'worker/app',
      'worker/intake',
      ['worker/reporting', 'worker/web'],
      'worker/promotion',
      'worker/settings',
      'worker/rate-limit',
      'worker/store',
      'worker/queue',
      'worker/telemetry',
      ['worker/operators', 'worker/records'],
    ],
    ['lib/html', 'lib/redis', ...belowEntrances],
  ),
  {
    'worker/intake': [['receiver', 'state', 'sweep'], 'ingest'],
    'worker/reporting': ['webhook', 'github'],
    'worker/web': ['.', 'dashboard', 'api', ['metrics', 'sign-in'], 'http'],
    'worker/promotion': [
      '.',
      'steps',
      ['admission', 'decisions'],
      'live',
      'plan',
      'advance',
      'gates',
      'context',
    ],
    'worker/store': [
      '.',
      ['advances', 'recovery'],
      ['gates', 'lanes'],
      ['live', 'jobs', 'reports'],
      ['deliveries', 'journal'],
      'scripts',
    ],
  },
);

const actions = withRooms(
  layered(
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
  ),
  { 'actions/kit': ['.', 'releases', ['checkout', 'inputs'], 'step'] },
);

const cli = withRooms(
  layered(
    [
      'cli',
      'cli/commands',
      ['cli/assistant', 'cli/language-server', 'cli/results'],
      'cli/webhook',
      'cli/demo',
      ['cli/doctor', 'cli/watch'],
      ['cli/init', 'cli/operate', 'cli/platform', 'cli/publish', 'cli/review', 'cli/tests'],
      'cli/worker',
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
      'lib/drawing',
      'lib/redis',
      'client/request',
      ...belowEntrances,
    ],
  ),
  {
    'cli/commands': [['evidence', 'platform', 'project', 'worker']],
    'cli/kit': [['completion', 'git', 'servers'], '.'],
  },
);

/** Which folder may import which: read by the linter while one types, and by the test of the layers. */
export const importTable: Readonly<Record<string, ImportRule>> = merged(
  cli,
  actions,
  worker,
  platform,
  localGitHub,
  engine,
  flows,
  client,
  libraries,
);

/** Packages that one folder of the product hides from all others. */
export const packageFolders: Readonly<Record<string, string>> = {
  bullmq: 'worker/queue',
  pg: 'platform/streaming/source',
  'pg-copy-streams': 'platform/streaming/source',
};

/** Folders whose files may import everything. */
export const freeFolders = ['docs', 'examples', 'test', 'tools'];
