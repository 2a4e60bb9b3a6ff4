import type { Hold } from '../../store/lane-record.ts';
import type { RunRecord, Step } from '../../records/run-record.ts';

/** The verdicts that settle an indeterminate run at each step; none where it has nothing to settle. */
const verdicts: Readonly<Record<Step['name'], readonly string[]>> = {
  resolve: [],
  promote: ['--happened yes', '--happened no'],
  start: ['--execution <id>', '--happened no'],
  watch: ['--execution <id>', '--happened yes', '--happened no'],
  'roll-back': [],
};

/** How a hold is seen to, on the command line. `run`: the one that it is about. */
export function holdHint({ cause }: Hold, lane: string, run: RunRecord | undefined): string {
  const release = `\`millrace release ${lane}\``;
  if (cause !== 'indeterminate' || run?.outcome !== 'indeterminate')
    return `Look at the reason, then ${release}.`;
  const choices = verdicts[run.step.name].map((verdict) => `\`millrace settle ${run.id} ${verdict}\``);
  if (choices.length === 0) return `Look at the platform, then ${release} and \`millrace retry ${run.id}\`.`;
  return `Look at the platform, then say what you found (role admin): ${choices.join(' or ')}.`;
}
