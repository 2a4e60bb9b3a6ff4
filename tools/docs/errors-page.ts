import { errorCatalogue, type ErrorEntry } from '../../lib/core/errors/error-catalogue.ts';

const groups = [
  { exitCode: 2, title: 'Exit 2: wrong use or configuration' },
  { exitCode: 1, title: 'Exit 1: a check failed' },
  { exitCode: 3, title: 'Exit 3: the platform, GitHub or the network failed' },
  { exitCode: 4, title: 'Exit 4: the outcome is unknown, a person must check it' },
  { exitCode: 130, title: 'Exit 130: cancelled' },
] as const;

/** `docs/errors.md`: every error code with its condition and its hint, by exit code. */
export function errorsPage(): string {
  const entries: [string, ErrorEntry][] = Object.entries(errorCatalogue);
  const sections = groups.map(({ exitCode, title }) => {
    const groupEntries = entries.filter(([, entry]) => entry.exitCode === exitCode);
    return [
      `## ${title}`,
      ...groupEntries.map(([code, { when, hint }]) => `### ${code}\n\n${when}\n\nHow to fix: ${hint}`),
    ].join('\n\n');
  });
  return [
    '# Errors',
    'After reading this page, you can look up the code of an error and fix it.',
    'Each error of Millrace has a stable code. With `--json`, the code is in `error.code`. In an action, it is in the annotation. Exit code 0 means done, so it has no errors.',
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}
