import { workerName } from '../../lib/config/worker/operator-schema.ts';
import type { Via } from './audit-entry.ts';

const viaLabels: Readonly<Record<Via, string>> = {
  dashboard: 'via dashboard',
  github: 'via GitHub sign-in',
  'command-line': 'via command line',
  api: 'via API',
  comment: 'via GitHub comment',
  'check-run': 'via GitHub check run',
  worker: '',
};

/** The actor and how the action arrived, such as "ada via dashboard"; only the name if the latter was not recorded. */
export function actorText(by: string, via: string | undefined): string {
  if (by === workerName) return 'the worker';
  const label = Object.hasOwn(viaLabels, via ?? '') ? viaLabels[via as Via] : '';
  return label === '' ? by : `${by} ${label}`;
}
