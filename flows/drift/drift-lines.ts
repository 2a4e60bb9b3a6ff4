import { numberOf } from '../../lib/core/text/number-of.ts';
import type { DriftEnvironment, DriftVersion } from './drift.ts';

const labels = {
  yes: '',
  unknown: 'no tag with this name',
  'other-commit': 'from another commit than its tag',
};

/** Describes the drift of a version; empty if there is none. */
export function driftOfVersion({ enabled, tagged }: DriftVersion): string {
  return [...(enabled ? [] : ['disabled']), ...(tagged === 'yes' ? [] : [labels[tagged]])].join(', ');
}

/** Describes the state of an environment: `up to date`, `2 versions behind`, … */
export function describeEnvironment({ exists, live, behind }: DriftEnvironment): string {
  if (!exists) return 'not on the platform';
  if (live === undefined) return 'no version is enabled';
  if (behind === undefined) return 'its live version has no release tag';
  return behind === 0 ? 'up to date' : `${numberOf(behind, 'version')} behind`;
}
