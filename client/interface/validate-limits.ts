import { Failure } from '../../lib/core/errors/failure.ts';
import type { ClientOptions } from './client-options.ts';

type Limits = Pick<ClientOptions, 'timeoutMs' | 'deadlineMs' | 'untilMs' | 'maxAttempts' | 'maxAnswerBytes'>;

const names = ['timeoutMs', 'deadlineMs', 'untilMs', 'maxAttempts', 'maxAnswerBytes'] as const;

/**
 * Rejects 0 and NaN: a zero limit can never succeed, and Node turns a NaN delay into one millisecond.
 *
 * @throws {Failure} `usage`
 */
export function validateLimits(limits: Limits): void {
  for (const name of names) {
    const limit = limits[name];
    if (limit === undefined || limit > 0) continue;
    throw new Failure('usage', {
      message: `${name} is ${limit}, and must be greater than 0.`,
      where: { input: name },
      hint: 'Give a number greater than 0.',
    });
  }
}
