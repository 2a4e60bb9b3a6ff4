import { checkConclusions } from '../../../lib/github/check-run.ts';
import { markdownCode, markdownText, oneLine, shorten } from '../../../lib/github/foreign-text.ts';
import type { CheckContent } from '../../../lib/github/check-runs.ts';
import { isOver, type Telling } from './telling.ts';
import type { Happening } from '../../records/happening.ts';
import { timeline } from './timeline.ts';

/** A run as a check run shows it: where it stands, what it is about, and all that happened. */
export function checkContent(
  telling: Telling,
  happenings: readonly Happening[],
  address: string | undefined,
): CheckContent {
  const { run, text } = telling;
  const over = isOver(telling);
  return {
    status: over ? 'completed' : run.state === 'queued' ? 'queued' : 'in_progress',
    conclusion: run.outcome === undefined ? undefined : checkConclusions[run.outcome],
    title: shorten(oneLine(text), 255) || 'Millrace',
    summary: summaryOf(telling, address),
    text: timeline(happenings),
  };
}

function summaryOf({ run, text }: Telling, address: string | undefined): string {
  const { plan, step, intent } = run;
  const facts: (readonly [string, string | undefined])[] = [
    ['lane', plan.lane.name],
    ['version', run.version],
    ['from', plan.lane.from],
    ['to', plan.lane.to],
    ['ref', plan.ref],
    ['commit', plan.commit],
    ['execution', step.name === 'watch' ? step.executionId : undefined],
    ['under way', intent === undefined ? undefined : `${intent.effect}: ${intent.what}`],
    ['goes on to', plan.lane.next.map(({ name }) => name).join(', ') || undefined],
    ['run', run.id],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`- ${name}: ${markdownCode(shorten(value, 300))}\n`],
  );
  const why =
    run.message !== undefined && run.message !== text
      ? `${markdownText(shorten(run.message, 1_000))}\n\n`
      : '';
  const link = address === undefined ? '' : `\n[The run on the worker](${address})\n`;
  return `${markdownText(shorten(text, 1_000))}\n\n${why}${lines.join('')}${link}`;
}
