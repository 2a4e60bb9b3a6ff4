import { expect, test } from 'vitest';
import type { FirstOf } from '../../../../flows/plan/digest/short-difference.ts';
import type { PlannedValue, PromotionPlan } from '../../../../worker/records/promotion-plan.ts';
import type { PromotionRecord } from '../../../../worker/records/promotion-record.ts';
import { checkContent } from '../../../../worker/reporting/github/channels/check-content.ts';
import { promotionTask } from '../../store/promotion-task.ts';

/** GitHub takes no more characters in a summary. */
const maxSummary = 65_535;

const at = Date.UTC(2031, 0, 1, 12);
const digest = 'd'.repeat(64);

/** A plan whose lists are as long as a record keeps them, with names of this text. */
function longPlan(name: string): PromotionPlan {
  const texts = (length: number): FirstOf<string> => ({
    count: 500,
    first: Array.from({ length }, () => name.slice(0, 200)),
  });
  const list = texts(20);
  const pipelines = list.first.map((pipeline) => ({ pipeline, line: 7, what: pipeline, because: pipeline }));
  const places = texts(3);
  const value = (of: string): PlannedValue => ({ source: 'own', value: of });
  const commits = list.first.map((subject) => ({
    commit: 'c'.repeat(40),
    subject: subject.slice(0, 120),
    author: 'ada',
    pull: 12,
    approvedBy: ['grace'],
  }));
  return {
    digest,
    facts: {
      version: name,
      from: 'dev',
      to: 'test',
      wanted: { commit: null, enabled: true },
      live: { version: name, commit: null },
      snapshots: { wanted: digest, live: digest },
      variables: Array.from({ length: 100 }, () => ({
        name,
        type: 'TEXT',
        from: value('a'),
        to: value('b'),
      })),
    },
    at,
    readAt: at,
    changes: [{ from: digest, at, reasons: [name, name, name, name, name] }],
    notCompared: 900,
    difference: {
      changed: { count: 500, first: pipelines },
      affected: { count: 500, first: pipelines },
      entryPoints: list,
      tables: {
        count: 500,
        first: texts(30).first.map((table) => ({
          name: table,
          what: table,
          writers: places,
          readers: places,
        })),
      },
      unknownColumns: list,
      broken: list,
      connectors: list,
      shared: list,
      published: list,
    },
    contentsUnknown: [name, name, name],
    commits: { added: 1_000, removed: 7, newest: commits, notRead: 10 },
    changedSince: { version: name, compared: 100, count: 100, names: list.first },
    wayBack: name,
  };
}

test.each([
  ['letters', 'a'.repeat(255)],
  ['names of tables', 'DAILY_SALES_BY_REGION.'.repeat(12)],
  ['signs that Markdown must not read', '@#_'.repeat(85)],
  ['characters of three bytes', '数'.repeat(255)],
])(
  'a plan with the longest lists, of %s, fits into a check run, and says how much it leaves out',
  (_, name) => {
    const promotion: PromotionRecord = {
      ...({} as PromotionRecord),
      id: 'p1',
      task: promotionTask('v1.0.0'),
      step: { name: 'promote', since: at, readBacks: 0 },
      state: 'active',
      version: name,
      plan: longPlan(name),
      message: name.repeat(4),
      createdAt: at,
      startedAt: at,
    };
    const { summary } = checkContent(
      { promotion, seq: '1', state: 'pending', text: name.repeat(4).slice(1) },
      { events: [], address: 'https://worker/promotions/p1', needsApproval: true, webUrl: 'https://host' },
    );
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(maxSummary);
    expect(summary).toContain(`/millrace approve to-test plan:${digest.slice(0, 12)}`);
    expect(summary).toMatch(/\[The promotion on the worker\]\(https:\/\/worker\/promotions\/p1\)\n$/u);
    // Each list has its title, and says what is missing.
    expect(summary.match(/\n {2}- and \d+ more/gu)).toHaveLength(11);
    expect(summary).toContain('900 variables were not compared');
  },
);
