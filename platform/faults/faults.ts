import { seededRandom } from '../random/seeded-random.ts';
import type { ReadyPlan, ReadyRule } from './fault-schema.ts';

/** The fields of a call that rules match. */
export interface FaultCall {
  readonly operation: string;
  readonly project: string | undefined;
}

/** A rule that applies to the current call. */
export type MatchedFaultRule = ReadyRule & { readonly processed: boolean };

/** A rule with the number of matching calls and the number of times it was applied. */
export type CountedRule = ReadyRule & { readonly calls: number; readonly struck: number };

/** The fault rules that are set, and the rate limit. */
export interface Faults {
  /** Replaces all rules and the rate limit. */
  set(plan: ReadyPlan): void;
  /** Appends rules. Without a rate limit, the current one stays. */
  add(plan: ReadyPlan): void;
  clear(): void;
  list(): { readonly rules: readonly CountedRule[]; readonly rateLimit: number | false };
  /** Counts a call and returns the first rule that applies to it. */
  match(call: FaultCall): MatchedFaultRule | undefined;
  /**
   * Counts a call against the rate limit. If the limit is exceeded, returns the seconds until the next call is
   * allowed.
   */
  overLimit(now: number): number | undefined;
}

interface LiveRule {
  readonly rule: ReadyRule;
  readonly matches: (call: FaultCall) => boolean;
  readonly happens: (call: number) => boolean;
  calls: number;
  struck: number;
}

const minute = 60_000;
/** Unknowns §1. */
const defaultLimit = 1000;

export function createFaults(): Faults {
  let rules: LiveRule[] = [];
  let rateLimit: number | false = false;
  let window = { start: Number.NEGATIVE_INFINITY, calls: 0 };
  const limit = (perMinute: number | boolean | undefined) => {
    rateLimit = perMinute === true ? defaultLimit : (perMinute ?? false);
    window = { start: Number.NEGATIVE_INFINITY, calls: 0 };
  };
  return {
    set(plan) {
      rules = (plan.rules ?? []).map(activateRule);
      limit(plan.rateLimit);
    },
    add(plan) {
      rules.push(...(plan.rules ?? []).map(activateRule));
      if (plan.rateLimit !== undefined) limit(plan.rateLimit);
    },
    clear() {
      rules = [];
      limit(false);
    },
    list: () => ({
      rules: rules.map(({ rule, calls, struck }) => ({ ...rule, calls, struck })),
      rateLimit,
    }),
    match(call) {
      let matched: LiveRule | undefined;
      // Every rule counts every call that it matches, even if another rule applies to the call.
      for (const live of rules) {
        if (!live.matches(call)) continue;
        live.calls += 1;
        if (live.struck >= (live.rule.times ?? Infinity) || !live.happens(live.calls)) continue;
        matched ??= live;
      }
      if (matched === undefined) return undefined;
      matched.struck += 1;
      return { ...matched.rule, processed: isProcessed(matched.rule) };
    },
    overLimit(now) {
      if (rateLimit === false) return undefined;
      if (now >= window.start + minute) window = { start: now, calls: 0 };
      window.calls += 1;
      if (window.calls <= rateLimit) return undefined;
      return Math.max(1, Math.ceil((window.start + minute - now) / 1000));
    },
  };
}

function activateRule(rule: ReadyRule): LiveRule {
  const operations = rule.operation === undefined ? undefined : new Set<string>([rule.operation].flat());
  const nth = rule.nth === undefined ? undefined : new Set([rule.nth].flat());
  const random = seededRandom(rule.seed);
  return {
    rule,
    calls: 0,
    struck: 0,
    matches: ({ operation, project }) =>
      (operations?.has(operation) ?? true) && (rule.project === undefined || rule.project === project),
    happens: (call) =>
      (nth?.has(call) ?? true) && (rule.probability === undefined || random() < rule.probability),
  };
}

/** A request whose answer is lost or broken was executed, unless the rule says otherwise. */
function isProcessed({ processed, wire, status }: ReadyRule): boolean {
  if (processed !== undefined) return processed;
  return wire !== undefined && wire !== 'refuse' && wire !== 'reset-before' && status === undefined;
}
