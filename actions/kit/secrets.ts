import type { Environment } from './step.ts';

/** Variables that may contain secrets. */
const names = ['MILLRACE_TOKEN', 'MILLRACE_CLIENT_SECRET', 'MILLRACE_GITHUB_TOKEN', 'GITHUB_TOKEN'] as const;

export function secretVariables(environment: Environment): string[] {
  return names.flatMap((name) => {
    const value = environment[name]?.trim() ?? '';
    return value === '' ? [] : [value];
  });
}
