import type { Hold } from '../../store/lane-record.ts';
import type { PromotionRecord, Step } from '../../records/promotion-record.ts';

/** The verdicts that settle an indeterminate promotion at each step; none where it has nothing to settle. */
const verdicts: Readonly<Record<Step['name'], readonly string[]>> = {
  resolve: [],
  promote: ['--happened yes', '--happened no'],
  start: ['--execution <id>', '--happened no'],
  watch: ['--execution <id>', '--happened yes', '--happened no'],
  'roll-back': [],
};

/** How a hold is seen to, on the command line. `run`: the one that it is about. */
export function holdHint({ cause }: Hold, lane: string, promotion: PromotionRecord | undefined): string {
  const resume = `\`millrace resume ${lane}\``;
  if (cause !== 'indeterminate' || promotion?.outcome !== 'indeterminate')
    return `Look at the reason, then ${resume}.`;
  const choices = verdicts[promotion.step.name].map(
    (verdict) => `\`millrace resolve ${promotion.id} ${verdict}\``,
  );
  if (choices.length === 0)
    return `Look at the platform, then ${resume} and \`millrace retry ${promotion.id}\`.`;
  return `Look at the platform, then say what you found (role admin): ${choices.join(' or ')}.`;
}
