import type { DriftEnvironment, DriftVersion } from './drift.ts';

const wordsOf = {
  yes: '',
  unknown: 'no tag of that name',
  'other-commit': 'from another commit than its tag',
};

/** What is the matter with a version, in words; empty where nothing is. */
export function driftOfVersion({ enabled, tagged }: DriftVersion): string {
  return [...(enabled ? [] : ['disabled']), ...(tagged === 'yes' ? [] : [wordsOf[tagged]])].join(', ');
}

/** How an environment stands, in words: `up to date`, `2 versions behind`, … */
export function describeEnvironment({ exists, live, behind }: DriftEnvironment): string {
  if (!exists) return 'not on the platform';
  if (live === undefined) return 'no version is enabled';
  if (behind === undefined) return 'its live version is no release';
  return behind === 0 ? 'up to date' : `${String(behind)} version${behind === 1 ? '' : 's'} behind`;
}
