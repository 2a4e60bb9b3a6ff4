import { seededRandom } from '../random/seeded-random.ts';
import type { ReadyPlan, ReadyRule } from './fault-schema.ts';

/** One call as far as rules look at it. */
export interface FaultCall {
  readonly operation: string;
  readonly project: string | undefined;
}

/** A rule that strikes now. */
export type Strike = ReadyRule & { readonly processed: boolean };

/** A rule, how many calls matched it, and how often it struck. */
export type CountedRule = ReadyRule & { readonly calls: number; readonly struck: number };

/** What goes wrong on purpose. */
export interface Faults {
  /** Replaces everything. */
  set(plan: ReadyPlan): void;
  /** Adds rules behind those that are there; a rate limit that is not named stays. */
  add(plan: ReadyPlan): void;
  clear(): void;
  list(): { readonly rules: readonly CountedRule[]; readonly rateLimit: number | false };
  /** Counts a call, and answers the first rule that strikes it. */
  strike(call: FaultCall): Strike | undefined;
  /** Counts a call against the rate limit; answers after how many seconds to come again, where it is one too many. */
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
const usualLimit = 1000;

export function createFaults(): Faults {
  let rules: LiveRule[] = [];
  let rateLimit: number | false = false;
  let window = { start: Number.NEGATIVE_INFINITY, calls: 0 };
  const limit = (given: number | boolean | undefined) => {
    rateLimit = given === true ? usualLimit : (given ?? false);
    window = { start: Number.NEGATIVE_INFINITY, calls: 0 };
  };
  return {
    set(plan) {
      rules = (plan.rules ?? []).map(bringToLife);
      limit(plan.rateLimit);
    },
    add(plan) {
      rules.push(...(plan.rules ?? []).map(bringToLife));
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
    strike(call) {
      let strike: LiveRule | undefined;
      // Every rule counts every call that it matches, so that "the third call" is the third call.
      for (const live of rules) {
        if (!live.matches(call)) continue;
        live.calls += 1;
        if (live.struck >= (live.rule.times ?? Infinity) || !live.happens(live.calls)) continue;
        strike ??= live;
      }
      if (strike === undefined) return undefined;
      strike.struck += 1;
      return { ...strike.rule, processed: isProcessed(strike.rule) };
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

function bringToLife(rule: ReadyRule): LiveRule {
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

/** A lost or broken answer is the answer to something that was done, unless the rule says otherwise. */
function isProcessed({ processed, wire, status }: ReadyRule): boolean {
  if (processed !== undefined) return processed;
  return wire !== undefined && wire !== 'refuse' && wire !== 'reset-before' && status === undefined;
}
