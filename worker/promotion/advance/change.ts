import type { Entry } from '../../store/advances/advances.ts';
import { planFields, type PromotionPlan } from '../../records/promotion-plan.ts';
import type { PromotionRecord, Step } from '../../records/promotion-record.ts';
import type { AuthorsRead } from '../../records/promotion-task.ts';

/** What a step changes in its promotion's record. `intent: null`: the result of the recorded intent is known. */
export interface Change extends Omit<Entry, 'kind' | 'fields' | 'plan'> {
  readonly step?: Step;
  readonly version?: string;
  /** The commit of the version's artifact; '' if the platform does not say it. */
  readonly artifactCommit?: string;
  readonly plan?: PromotionPlan;
  readonly intent?: null;
  /** When GitHub was asked who wrote what is promoted, and its answer. */
  readonly authors?: { readonly askedAt: number; readonly answer: AuthorsRead | undefined };
  /** Reason why the promotion must end. */
  readonly cancel?: string;
}

/** Converts a change to the form in which it is written to the record. */
export function entryOf(change: Change, promotion: PromotionRecord, now: number): Entry {
  const { step, version, artifactCommit, plan, intent, authors, cancel, ...entry } = change;
  const fields = {
    ...(step === undefined ? {} : { step: JSON.stringify(step) }),
    ...(version === undefined || version === promotion.version ? {} : { version, versionAt: String(now) }),
    ...(artifactCommit === undefined ? {} : { artifactCommit }),
    ...(plan === undefined ? {} : planFields(plan)),
    ...(intent === null ? { intent: '' } : {}),
    ...(authors === undefined ? {} : authorFields(authors)),
    ...(cancel === undefined ? {} : { cancel }),
  };
  return { kind: 'state', ...entry, fields };
}

/** The fields that `readPromotion` reads. */
function authorFields({ askedAt, answer: authors }: NonNullable<Change['authors']>): Record<string, string> {
  if (authors === undefined) return { authorsAskedAt: String(askedAt) };
  return {
    authorsAskedAt: String(askedAt),
    authorsReadFrom: authors.from,
    mayHaveOtherAuthors: authors.isComplete ? '' : '1',
    ...Object.fromEntries(authors.people.map(({ login, id }) => [`author:${login}`, String(id)])),
  };
}

/**
 * The promotion as its record will be after the change. New facts about authors are only read with the next
 * advance.
 */
export function applyChange(
  promotion: PromotionRecord,
  { step, version, artifactCommit, plan, intent, cancel }: Change,
): PromotionRecord {
  return {
    ...promotion,
    step: step ?? promotion.step,
    version: version ?? promotion.version,
    // As it is read from the record: empty if the platform does not name a commit.
    artifactCommit: (artifactCommit ?? promotion.artifactCommit) || undefined,
    plan: plan ?? promotion.plan,
    intent: intent === null ? undefined : promotion.intent,
    cancel: cancel ?? promotion.cancel,
  };
}
