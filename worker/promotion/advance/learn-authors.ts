import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Advance } from './advance.ts';
import type { AuthorsRead } from '../../records/promotion-task.ts';
import { readUnlistedAuthors } from './unlisted-authors.ts';
import { currentPolicy } from '../gates/current-policy.ts';

/**
 * Asks GitHub again who wrote the commits of a promotion: GitHub did not answer when the promotion was created, or
 * worker.yaml did not require it then. Returns whether the authors are known now; then one approval fewer may be
 * needed.
 */
export async function learnAuthors(advance: Advance): Promise<boolean> {
  const { promotion, ports } = advance;
  const { clock, config, settings } = ports;
  const { task, authorsAskedAt = 0 } = promotion;
  const policy = currentPolicy(task, config);
  if (policy === undefined || policy.areAuthorsKnown || task.authorsReadFrom !== undefined) return false;
  const now = clock.now();
  if (now - authorsAskedAt < settings.authorsMs) return false;
  const authors = await read(advance);
  // Fenced: another worker may have taken the promotion over while GitHub was asked.
  await advance.save({
    what: authors === undefined ? '' : 'authors-read',
    authors: { askedAt: now, answer: authors },
  });
  return authors !== undefined;
}

async function read({ promotion, ports }: Advance): Promise<AuthorsRead | undefined> {
  try {
    return await readUnlistedAuthors(promotion.task, ports);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
