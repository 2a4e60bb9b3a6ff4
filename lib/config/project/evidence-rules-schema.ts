import { z } from 'zod';
import { evidenceKinds, type EvidenceKind } from '../../evidence/evidence-kinds.ts';
import { durationSchema } from '../fields/duration-schema.ts';

/** A fact that signed evidence must prove before a promotion. */
export interface EvidenceRule {
  readonly kind: EvidenceKind;
  /** `warn`: the promotion continues, and the history says what is missing. `require`: it waits. */
  readonly mode: 'warn' | 'require';
  /** Older statements do not count; in milliseconds. */
  readonly maxAgeMs: number;
  /** Minimum coverage of the tests, in per cent. */
  readonly coverage?: number | undefined;
  /** Minimum share of planted changes that the tests notice, in per cent. */
  readonly mutation?: number | undefined;
  /** Minimum number of approvals of the pull request. */
  readonly approvals?: number | undefined;
}

const common = {
  mode: z
    .enum(['warn', 'require'])
    .default('warn')
    .describe('warn (continue, and say so in the history) | require (wait until it is there).'),
  'max-age': durationSchema.prefault('90d').describe('Older statements do not count.'),
};
const percent = z.number().min(0).max(100);
const plain = z.strictObject(common).optional();

const optionsSchema = z
  .strictObject({
    provenance: plain,
    snapshot: plain,
    review: plain,
    tests: z
      .strictObject({
        ...common,
        coverage: percent.optional().describe('Minimum coverage of the tests, in per cent.'),
        mutation: percent
          .optional()
          .describe('Minimum share of planted changes that the tests notice, in per cent.'),
      })
      .optional(),
    diff: plain,
    approvals: z
      .strictObject({
        ...common,
        count: z.int().min(1).max(20).default(1).describe('Minimum number of approvals of the pull request.'),
      })
      .optional(),
  })
  .refine((rule) => Object.values(rule).filter((value) => value !== undefined).length === 1, {
    error: `needs exactly one of ${evidenceKinds.join(', ')}`,
  });

const usualMs = 90 * 86_400_000;

/** One rule: the name of a kind alone, or with its options. */
const ruleSchema = z.union([z.enum(evidenceKinds), optionsSchema]).transform((rule): EvidenceRule => {
  if (typeof rule === 'string')
    return {
      kind: rule,
      mode: 'warn',
      maxAgeMs: usualMs,
      ...(rule === 'approvals' ? { approvals: 1 } : {}),
    };
  const kind = evidenceKinds.find((name) => rule[name] !== undefined) ?? 'provenance';
  const { mode = 'warn', 'max-age': maxAgeMs = usualMs } = rule[kind] ?? {};
  const { coverage, mutation } = rule.tests ?? {};
  return {
    kind,
    mode,
    maxAgeMs,
    ...(coverage === undefined ? {} : { coverage }),
    ...(mutation === undefined ? {} : { mutation }),
    ...(rule.approvals === undefined ? {} : { approvals: rule.approvals.count }),
  };
});

/** The rules of one file. If a kind is listed twice, the stricter value of each option applies. */
export const evidenceRulesSchema = z
  .array(ruleSchema)
  .max(20)
  .default([])
  .transform((rules): readonly EvidenceRule[] => strictestEvidence(rules, []));

/** Combines the rules of two lists: of each option, the stricter value. */
export function strictestEvidence(
  a: readonly EvidenceRule[],
  b: readonly EvidenceRule[],
): readonly EvidenceRule[] {
  const byKind = Map.groupBy([...a, ...b], ({ kind }) => kind);
  return [...byKind.values()].map((rules) => rules.reduce(stricter));
}

function stricter(a: EvidenceRule, b: EvidenceRule): EvidenceRule {
  const larger = (name: 'coverage' | 'mutation' | 'approvals'): Partial<EvidenceRule> => {
    const values = [a[name], b[name]].filter((value) => value !== undefined);
    return values.length === 0 ? {} : { [name]: Math.max(...values) };
  };
  return {
    kind: a.kind,
    mode: a.mode === 'require' || b.mode === 'require' ? 'require' : 'warn',
    maxAgeMs: Math.min(a.maxAgeMs, b.maxAgeMs),
    ...larger('coverage'),
    ...larger('mutation'),
    ...larger('approvals'),
  };
}
