import { wholeFile } from '../../../lib/core/outcomes/finding.ts';
import type { RuleResult, Violation } from '../../../lib/pipelines/rule-result.ts';
import { errorDetailTypes } from '../../../lib/pipelines/rules/rule.ts';
import { type RawFinding, errorFinding, severityOf } from './raw-finding.ts';

/** The result of one rule in the platform's answer (spec §2.8). */
export interface AnsweredResult {
  readonly ruleName: string;
  readonly status: string;
  readonly errorDetail?: { readonly type: string } | null | undefined;
  readonly violations?: readonly string[] | null | undefined;
}

/** Errors in the pipeline. All other types of spec §2.8 are errors in the rules file; an unknown type may be either. */
const pipelineErrors = new Set<string>(['designer/document-parse-error', 'designer/no-start-component']);
const knownTypes = new Set<string>(errorDetailTypes);

/**
 * Adds positions to the platform's results for one file. The platform says what failed, and the local evaluation of
 * the same rule at the same commit gives the position. A finding without a position is reported on the whole file,
 * never dropped.
 */
export function platformRawFindings(
  file: string,
  answered: readonly AnsweredResult[],
  local: readonly RuleResult[],
  rulesFile: string,
): RawFinding[] {
  return answered.flatMap((result) => {
    const { ruleName } = result;
    const localResult = local.find((candidate) => candidate.ruleName === ruleName);
    const severity = severityOf(localResult?.enforcementLevel ?? 'unknown');
    const base = { rule: ruleName, severity, file, source: 'platform' as const };
    switch (result.status.toUpperCase()) {
      case 'PASSED':
        return [];
      case 'FAILED':
        return pair(result.violations ?? [], localResult?.violations ?? []).map(
          ({ message, component, range, count }) => ({
            ...base,
            ...range,
            ...(component === undefined ? {} : { component }),
            ...(count === undefined ? {} : { count }),
            message: message === '' ? `The rule ${ruleName} is violated.` : message,
          }),
        );
      case 'ERROR': {
        const type = result.errorDetail?.type ?? 'no type given';
        if (localResult?.errorDetail?.type === type)
          return [errorFinding(ruleName, localResult.enforcementLevel, localResult.errorDetail, 'platform')];
        const isInRulesFile = knownTypes.has(type) && !pipelineErrors.has(type);
        return [
          {
            ...base,
            file: isInRulesFile ? rulesFile : file,
            ...wholeFile,
            message: `The rule ${ruleName} could not be evaluated${isInRulesFile ? '' : ` on ${file}`} (${type}).`,
            errorType: type,
          },
        ];
      }
      default:
        // Spec §2.8 lists three values; any other is not a success.
        return [
          {
            ...base,
            ...wholeFile,
            message: `The platform returned the unknown status "${result.status}" for the rule ${ruleName}.`,
            errorType: 'millrace/unknown-rule-status',
          },
        ];
    }
  });
}

/**
 * Pairs the platform's messages with local positions: by the component that a message names, else with the only one
 * left.
 */
function pair(messages: readonly string[], places: readonly Violation[]): Violation[] {
  if (messages.length === 0) {
    return places.length > 0 ? [...places] : [{ message: '', range: wholeFile }];
  }
  const left = [...places].toSorted((a, b) => (b.component?.length ?? 0) - (a.component?.length ?? 0));
  const take = (index: number) => (index < 0 ? undefined : left.splice(index, 1)[0]);
  const paired = messages.map((message) => ({
    message,
    // The longest name first: "load orders" also contains "load".
    place: take(left.findIndex(({ component }) => component !== undefined && names(message, component))),
  }));
  const unplaced = paired.filter(({ place }) => place === undefined).length;
  return paired.map(({ message, place }) => {
    const match = place ?? (unplaced === 1 && left.length === 1 ? take(0) : undefined);
    return {
      message,
      range: match?.range ?? places.find(({ component }) => component === undefined)?.range ?? wholeFile,
      ...(match?.component === undefined ? {} : { component: match.component }),
      ...(match?.count === undefined ? {} : { count: match.count }),
    };
  });
}

/** Whether a message contains a name as a whole word, with no letter or digit directly before or after it. */
function names(message: string, component: string): boolean {
  for (let at = message.indexOf(component); at >= 0; at = message.indexOf(component, at + 1)) {
    const before = message.slice(0, at);
    const after = message.slice(at + component.length);
    if (!/[\p{L}\p{N}_]$/u.test(before) && !/^[\p{L}\p{N}_]/u.test(after)) return true;
  }
  return false;
}
