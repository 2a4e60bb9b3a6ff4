/**
 * For git commands that make or change a repository of a test: no sample hooks, and no process that tidies up after a
 * commit or a fetch.
 */
export const frugalGit: readonly string[] = [
  '-c',
  'init.templateDir=',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
];
