import { wholeFile } from '../core/outcomes/finding.ts';
import { componentGraph } from './model/graph.ts';
import type { PipelineDocument } from './model/read-pipeline.ts';
import type { PreparedRule } from './prepare-rules.ts';
import type { ErrorDetail, RuleResult } from './rule-result.ts';
import { isRefusal, type Refusal } from './rules/rule.ts';

/**
 * Applies the prepared rules to one file, in the order of the rules file. Rules for the other kind of pipeline give
 * no result.
 */
export function evaluate(rules: readonly PreparedRule[], document: PipelineDocument): readonly RuleResult[] {
  const [problem] = document.problems;
  const subject = { document, graph: componentGraph(document) };
  return rules
    .filter(({ appliesTo }) => appliesTo.includes(document.kind))
    .map((rule) => {
      if (rule.error !== undefined) return failedToRun(rule, rule.error);
      if (problem !== undefined) {
        const { message, file, ...range } = problem;
        return failedToRun(rule, { type: 'designer/document-parse-error', reason: message, file, range });
      }
      const outcome = rule.check(subject);
      if (isRefusal(outcome)) return failedToRun(rule, locate(outcome, rule, document));
      return {
        ruleName: rule.ruleName,
        enforcementLevel: rule.enforcementLevel,
        status: outcome.length === 0 ? ('PASSED' as const) : ('FAILED' as const),
        violations: outcome.map(({ message, component, count }) => ({
          message,
          ...(count === undefined ? {} : { count }),
          ...(component === undefined ? {} : { component: component.name }),
          range: component?.range ?? document.range,
        })),
      };
    });
}

function failedToRun(rule: PreparedRule, errorDetail: ErrorDetail): RuleResult {
  const { ruleName, enforcementLevel } = rule;
  return { ruleName, enforcementLevel, status: 'ERROR', errorDetail, violations: [] };
}

/** A refusal with a node is located in the rules file, any other in the pipeline. */
function locate(refusal: Refusal, rule: PreparedRule, document: PipelineDocument): ErrorDetail {
  const { type, reason, node } = refusal;
  if (node === undefined) return { type, reason, file: document.path, range: document.range };
  return { type, reason, file: rule.file, range: rule.entry?.rangeOf(node) ?? wholeFile };
}
