import { helpedRules, helpOf, pageOf } from '../../flows/review/evaluate/rule-help.ts';
import { meantSentence } from '../../lib/core/text/did-you-mean.ts';
import { Failure } from '../../lib/core/errors/failure.ts';

/**
 * The text about a rule: what it requires, why, and how to fix its findings. Throws Failure 'usage' for an unknown
 * rule.
 */
export function explainRule(name: string) {
  const rule = [name, `millrace/${name}`].find((id) => helpedRules.includes(id));
  if (rule === undefined) {
    const short = helpedRules.map((id) => id.replace(/^millrace\//, ''));
    throw new Failure('usage', {
      message: `The rule "${name}" does not exist.${meantSentence(name.replace(/^millrace\//, ''), short)}`,
      where: { input: '--explain' },
      hint: `The rules are: ${short.join(', ')}.`,
    });
  }
  const { summary, reason, fix } = helpOf(rule);
  const page = pageOf(rule);
  return {
    report: { rule, summary, reason, fix, page },
    lines: [
      rule,
      `  ${summary}`,
      '',
      `  Why: ${reason}`,
      `  How to fix: ${fix}`,
      '',
      `  More: ${page} in the folder of Millrace, such as node_modules/millrace.`,
    ],
  };
}
