import { withRooms } from './layers.ts';

/** The rows of `lib/`. */
export const libraries = withRooms(
  {
    'lib/core': { folders: [], packages: [] },
    'lib/html': { folders: ['lib/core'], packages: [] },
    'lib/drawing': { folders: ['lib/html', 'lib/core'], packages: [] },
    'lib/yaml': { folders: ['lib/core'], packages: ['js-yaml', 'yaml'] },
    'lib/git': { folders: ['lib/core'], packages: [] },
    'lib/contract': { folders: [], packages: ['zod'] },
    'lib/pipelines': { folders: ['lib/yaml', 'lib/core'], packages: ['re2js'] },
    'lib/config': { folders: ['lib/evidence', 'lib/yaml', 'lib/core'], packages: ['yaml', 'zod'] },
    'lib/evidence': { folders: ['lib/core'], packages: ['zod'] },
    'lib/http': { folders: ['lib/core'], packages: ['undici'] },
    'lib/report': { folders: ['lib/core'], packages: [] },
    'lib/github': { folders: ['lib/report', 'lib/git', 'lib/http', 'lib/core'] },
    'lib/redis': { folders: ['lib/core'], packages: ['ioredis'] },
  },
  {
    'lib/core': ['files', 'errors', 'outcomes', 'values', ['ports', 'text']],
    'lib/git': ['work-tree', '.', 'objects', 'process'],
    'lib/contract': ['.', 'examples', 'areas', 'resources', 'description'],
    'lib/pipelines': ['.', ['checks', 'rules'], 'model'],
    'lib/config': ['.', 'worker', ['environment', 'project'], 'fields'],
    'lib/github': ['.', 'channels', 'workflow-run', 'batches', 'endpoints', 'access'],
    'lib/redis': ['scripts', 'server', 'connection', 'address'],
  },
);
