/**
 * Options for git commands that create or change a repository of a test: no sample hooks, and no clean-up process
 * after a commit or a fetch.
 */
export const frugalGit: readonly string[] = [
  '-c',
  'init.templateDir=',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
];
