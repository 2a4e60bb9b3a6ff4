import { Failure } from '../lib/core/failure.ts';
import type { ClientOptions } from './client-options.ts';

type Limits = Pick<ClientOptions, 'timeoutMs' | 'deadlineMs' | 'untilMs' | 'maxAttempts' | 'maxAnswerBytes'>;

const names = ['timeoutMs', 'deadlineMs', 'untilMs', 'maxAttempts', 'maxAnswerBytes'] as const;

/**
 * Nothing could be done within a limit of nought, and Node takes a time that is no number for one millisecond.
 *
 * @throws {Failure} `usage`
 */
export function checkLimits(limits: Limits): void {
  for (const name of names) {
    const limit = limits[name];
    if (limit === undefined || limit > 0) continue;
    throw new Failure('usage', {
      message: `${name} is ${limit}, and must be above 0.`,
      where: { input: name },
    });
  }
}
