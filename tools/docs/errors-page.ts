import { errorCatalogue, type ErrorEntry } from '../../lib/core/error-catalogue.ts';

const groups = [
  { exitCode: 2, title: 'Exit 2: wrong use or configuration' },
  { exitCode: 1, title: 'Exit 1: the answer is no' },
  { exitCode: 3, title: 'Exit 3: the platform, GitHub or the network failed' },
  { exitCode: 4, title: 'Exit 4: the outcome is unknown, a person must look' },
  { exitCode: 130, title: 'Exit 130: cancelled' },
] as const;

/** `docs/errors.md`: every error code with its condition and its mend, by exit code. */
export function errorsPage(): string {
  const entries: [string, ErrorEntry][] = Object.entries(errorCatalogue);
  const sections = groups.map(({ exitCode, title }) => {
    const own = entries.filter(([, entry]) => entry.exitCode === exitCode);
    return [
      `## ${title}`,
      ...own.map(([code, { when, hint }]) => `### ${code}\n\n${when}\n\nHow to fix: ${hint}`),
    ].join('\n\n');
  });
  return [
    '# Errors',
    'Each error of Millrace has a stable code. With `--json` it stands in `error.code`; in an action it stands in the annotation. Exit 0 means done.',
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}
