import { wholeFile } from '../../lib/core/finding.ts';
import type { RuleResult, Violation } from '../../lib/pipelines/rule-result.ts';
import { errorDetailTypes } from '../../lib/pipelines/rules/rule.ts';
import { type RawFinding, errorFinding, severityOf } from './raw-finding.ts';

/** One rule's result in the platform's answer (spec §2.8). */
export interface AnsweredResult {
  readonly ruleName: string;
  readonly status: string;
  readonly errorDetail?: { readonly type: string } | null | undefined;
  readonly violations?: readonly string[] | null | undefined;
}

/** Faults that lie in the pipeline. All other types of spec §2.8 lie in the rules file; a type that is not known may lie anywhere. */
const ofThePipeline = new Set<string>(['designer/document-parse-error', 'designer/no-start-component']);
const known = new Set<string>(errorDetailTypes);

/**
 * The platform's verdict on one file, put on lines: the platform says what failed, our own evaluation of the same
 * rule at the same commit knows where. What cannot be placed stands on the file, and is not dropped.
 */
export function platformRawFindings(
  file: string,
  answered: readonly AnsweredResult[],
  local: readonly RuleResult[],
  rulesFile: string,
): RawFinding[] {
  return answered.flatMap((result) => {
    const { ruleName } = result;
    const own = local.find((candidate) => candidate.ruleName === ruleName);
    const severity = severityOf(own?.enforcementLevel ?? 'unknown');
    const base = { rule: ruleName, severity, file, source: 'platform' as const };
    switch (result.status.toUpperCase()) {
      case 'PASSED':
        return [];
      case 'FAILED':
        return pair(result.violations ?? [], own?.violations ?? []).map(
          ({ message, component, range, count }) => ({
            ...base,
            ...range,
            ...(component === undefined ? {} : { component }),
            ...(count === undefined ? {} : { count }),
            message: message === '' ? `The rule ${ruleName} is broken.` : message,
          }),
        );
      case 'ERROR': {
        const type = result.errorDetail?.type ?? 'no type given';
        if (own?.errorDetail?.type === type)
          return [errorFinding(ruleName, own.enforcementLevel, own.errorDetail, 'platform')];
        const ofTheRules = known.has(type) && !ofThePipeline.has(type);
        return [
          {
            ...base,
            file: ofTheRules ? rulesFile : file,
            ...wholeFile,
            message: `The rule ${ruleName} could not be evaluated${ofTheRules ? '' : ` on ${file}`} (${type}).`,
            errorType: type,
          },
        ];
      }
      default:
        // Spec §2.8 lists three; a fourth is no success.
        return [
          {
            ...base,
            ...wholeFile,
            message: `The platform answered the unknown status "${result.status}" for the rule ${ruleName}.`,
            errorType: 'millrace/unknown-rule-status',
          },
        ];
    }
  });
}

/** The platform's sentences with our places: by the component that a sentence names, else by the last one left. */
function pair(messages: readonly string[], places: readonly Violation[]): Violation[] {
  if (messages.length === 0) {
    return places.length > 0 ? [...places] : [{ message: '', range: wholeFile }];
  }
  const left = [...places].toSorted((a, b) => (b.component?.length ?? 0) - (a.component?.length ?? 0));
  const take = (index: number) => (index < 0 ? undefined : left.splice(index, 1)[0]);
  const paired = messages.map((message) => ({
    message,
    // The longest name first: "load" stands inside "load orders" too.
    place: take(left.findIndex(({ component }) => component !== undefined && names(message, component))),
  }));
  const unplaced = paired.filter(({ place }) => place === undefined).length;
  return paired.map(({ message, place }) => {
    const found = place ?? (unplaced === 1 && left.length === 1 ? take(0) : undefined);
    return {
      message,
      range: found?.range ?? places.find(({ component }) => component === undefined)?.range ?? wholeFile,
      ...(found?.component === undefined ? {} : { component: found.component }),
      ...(found?.count === undefined ? {} : { count: found.count }),
    };
  });
}

/** Whether a sentence holds a name as a whole word: letters and digits do not go on before or behind it. */
function names(message: string, component: string): boolean {
  for (let at = message.indexOf(component); at >= 0; at = message.indexOf(component, at + 1)) {
    const before = message.slice(0, at);
    const behind = message.slice(at + component.length);
    if (!/[\p{L}\p{N}_]$/u.test(before) && !/^[\p{L}\p{N}_]/u.test(behind)) return true;
  }
  return false;
}
