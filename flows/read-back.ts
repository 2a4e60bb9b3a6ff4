import { OutcomeUnknown } from '../client/index.ts';
import type { FlowContext } from './context.ts';

/** Looks at these intervals after a lost answer: an effect can show up late. */
const pausesMs = [0, 500, 2_000];

/**
 * Runs a request whose answer can be lost, and looks afterwards whether the effect took place. Nothing is sent
 * twice. Throws OutcomeUnknown where the look finds nothing: the effect may still come.
 */
export async function withReadBack<Answer, Found>(
  send: () => Promise<Answer>,
  look: () => Promise<Found | undefined>,
  { clock, logger, signal }: FlowContext,
): Promise<{ readonly answer: Answer } | { readonly found: Found }> {
  try {
    return { answer: await send() };
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    logger.warn('The answer was lost; looking whether it took effect.', { operation: error.operation });
    for (const pause of pausesMs) {
      if (pause > 0) await clock.sleep(pause, signal);
      const found = await look();
      if (found !== undefined) return { found };
    }
    throw error;
  }
}
