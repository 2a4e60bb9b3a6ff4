import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { SourceFailure } from '../source/source.ts';
import { TargetFailure } from '../target/target-failure.ts';

/** The reason why a pipeline does not run, or waits. */
export interface CaptureReason {
  readonly message: string;
  readonly hint: string | undefined;
}

export function reasonOf(error: unknown): CaptureReason {
  const hint = error instanceof SourceFailure || error instanceof TargetFailure ? error.hint : undefined;
  return { message: messageOf(error), hint };
}
