import { layered, merged, withRooms } from './layers.ts';

/** What use cases may import. No GitHub, no Redis, no terminal: those come in as ports. */
export const belowFlows = [
  'client/index.ts',
  'lib/pipelines',
  'lib/config',
  'lib/evidence',
  'lib/git',
  'lib/yaml',
  'lib/http',
  'lib/report',
  'lib/core',
];
const belowTests = ['flows/pipeline-tests', 'engine/index.ts', ...belowFlows];
/** Which use case may import which. */
export const flows = withRooms(
  merged(
    layered(
      [
        [
          'flows/audit',
          'flows/doctor',
          'flows/drift',
          'flows/evidence',
          'flows/init',
          'flows/metrics',
          'flows/promote',
          'flows/provision',
          'flows/publish',
          'flows/rollback',
          'flows/streaming',
        ],
        ['flows/review', 'flows/run', 'flows/variables'],
        ['flows/findings', 'flows/project', 'flows/push', 'flows/versions'],
        'flows/context',
      ],
      belowFlows,
      ['semver', 'zod'],
    ),
    {
      // The only use case that runs pipelines on this machine.
      'flows/pipeline-tests': { folders: ['engine/index.ts', ...belowFlows], packages: ['zod'] },
      // It runs the pipelines of tests twice: as they are, and as they were.
      'flows/diff': { folders: belowTests, packages: ['zod'] },
      // It runs tests with planted changes.
      'flows/mutation': { folders: ['flows/diff', 'flows/data-graph', ...belowTests], packages: ['zod'] },
      // It searches for rows that tell two versions of a pipeline apart.
      'flows/row-search': { folders: ['flows/mutation', 'flows/diff', ...belowTests], packages: [] },
      // It runs every pipeline on empty tables.
      'flows/data-graph': { folders: ['flows/findings', 'flows/snapshot', ...belowTests], packages: ['zod'] },
      // What a snapshot says, and the difference of two: without files, git and an engine, so that the worker can make it.
      'flows/snapshot': { folders: ['lib/pipelines', 'lib/core'], packages: ['zod'] },
      // It reads names of tables as tests do, and runs nothing.
      'flows/graph': { folders: ['flows/review', ...belowTests], packages: [] },
      // A data diff on files, for pipelines that a change affects.
      'flows/samples': { folders: ['flows/diff', 'flows/data-graph', ...belowTests], packages: ['zod'] },
      // It says which reads an import makes known.
      'flows/schemas': { folders: ['flows/data-graph', ...belowTests] },
      // It compares the pipelines of two versions.
      'flows/plan': {
        folders: [
          'flows/data-graph',
          'flows/promote',
          'flows/snapshot',
          'flows/variables',
          'flows/versions',
          'flows/context',
          ...belowTests,
        ],
        packages: ['zod'],
      },
      // An editor shows the results of reviews and tests.
      'flows/editor': {
        folders: ['flows/review', 'flows/pipeline-tests', 'flows/context', 'engine/index.ts', ...belowFlows],
        packages: [],
      },
    },
  ),
  {
    'flows/data-graph': [['affected', 'lineage'], 'compile', 'snapshot', ['bind', 'change'], 'texts'],
    'flows/snapshot': ['difference', '.'],
    'flows/mutation': ['report', 'run', 'faults'],
    'flows/pipeline-tests': [
      ['first-test', 'report', 'shards', 'update'],
      'run',
      'cache',
      'compare',
      'files',
      'outside',
    ],
    'flows/plan': ['report', '.', ['changes', 'variables', 'versions'], 'digest'],
    'flows/review': ['fixes', '.', 'formats', 'conclude', 'evaluate', 'scope'],
  },
);
