/** A folder at the top of the house: what it may import. The table of the design, as data. */
export interface FolderRule {
  readonly folders: readonly string[];
  /** npm packages; `undefined` where any dependency will do. Node's own modules are free everywhere. */
  readonly packages?: readonly string[];
}

const flowsAndBelow = ['flows', 'client', 'contract', 'pipelines', 'config', 'git', 'source', 'model'];

export const folderRules: Readonly<Record<string, FolderRule>> = {
  model: { folders: [], packages: [] },
  source: { folders: ['model'], packages: ['js-yaml', 'yaml'] },
  git: { folders: ['model'], packages: [] },
  contract: { folders: [], packages: ['zod'] },
  client: { folders: ['contract', 'model'] },
  pipelines: { folders: ['source', 'model'], packages: ['re2js'] },
  config: { folders: ['source', 'model'], packages: ['yaml', 'zod'] },
  // No GitHub, no Redis, no terminal: those come in as ports.
  flows: { folders: ['client', 'pipelines', 'config', 'git', 'source', 'model'], packages: ['zod'] },
  github: { folders: ['git', 'model'] },
  // Never the client: a fault in the contract would cancel out between the two.
  platform: { folders: ['contract', 'pipelines', 'source', 'git', 'model'] },
  worker: { folders: ['github', ...flowsAndBelow] },
  actions: { folders: ['github', ...flowsAndBelow] },
  cli: { folders: ['worker', 'platform', 'github', ...flowsAndBelow] },
};

/** Where a program starts: only here may the environment and an action's inputs be read. */
export const entryFiles: readonly RegExp[] = [
  /^(cli|worker|platform)\/main\.ts$/,
  /^actions\/[^/]+\/main\.ts$/,
  /^(demo|bench|docs|setup|examples)\//,
  /^[^/]+\.config\.ts$/,
];
