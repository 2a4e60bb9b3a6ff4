import type { Hold } from '../../store/lane-record.ts';
import type { PromotionRecord, Step } from '../../records/promotion-record.ts';

/** The verdicts that resolve an indeterminate promotion at each step. */
const verdicts: Readonly<Record<Step['name'], readonly string[]>> = {
  resolve: [],
  promote: ['--happened yes', '--happened no'],
  start: ['--execution <id>', '--happened no'],
  watch: ['--execution <id>', '--happened yes', '--happened no'],
  'roll-back': [],
};

/** How to clear a hold on the command line. `promotion`: the one that it is about. */
export function holdHint({ cause }: Hold, lane: string, promotion: PromotionRecord | undefined): string {
  const resume = `\`millrace resume ${lane}\``;
  if (cause !== 'indeterminate' || promotion?.outcome !== 'indeterminate')
    return `Check the reason, then run ${resume}.`;
  const choices = verdicts[promotion.step.name].map(
    (verdict) => `\`millrace resolve ${promotion.id} ${verdict}\``,
  );
  if (choices.length === 0)
    return `Check the platform, then run ${resume} and \`millrace retry ${promotion.id}\`.`;
  return `Check the platform, then resolve the promotion (role admin): ${choices.join(' or ')}.`;
}
