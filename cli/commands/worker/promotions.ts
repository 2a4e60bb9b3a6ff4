import { Option } from 'commander';
import { type Outcome, outcomes } from '../../../lib/core/outcomes/outcome.ts';
import { commandAction, type AddCommand, defineCommand, parseDurationOption } from '../../kit/command.ts';
import { parseCount } from '../../terminal/parse-count.ts';
import type { PromotionAnswer } from '../../operate/operator-answers.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { tableLines } from '../../../lib/core/text/table-lines.ts';
import { eventRows, timelineLines } from '../../operate/timeline.ts';
import { watchRows } from '../../operate/watch-rows.ts';

interface Options extends CommonOptions {
  readonly lane?: string;
  readonly search?: string;
  readonly limit: number;
  readonly follow?: boolean;
  readonly every: number;
}

const heads = ['PROMOTION', 'LANE', 'VERSION', 'STATE', 'CREATED', 'STATUS'];

/** `millrace promotions`: the newest promotions, or one promotion with its history. */
export const addPromotions: AddCommand = (program, shell) => {
  defineCommand(program, 'promotions', 'Show the newest promotions of a worker, or one with its history.')
    .argument('[promotion]', 'id of a promotion')
    .option('--lane <id>', 'only promotions of the lane with this id')
    .option('--search <words>', 'only promotions that contain all these words, such as a version or a person')
    .option('--limit <number>', 'maximum number of promotions', parseCount, 50)
    .option('--follow', 'print each change until Ctrl-C; of one promotion, until it ends')
    .addOption(
      new Option('--every <time>', 'interval between requests with --follow')
        .argParser(parseDurationOption)
        .default(2_000, '2s'),
    )
    .action(
      commandAction<Options>(shell, async (session, options, id) => {
        if (id !== undefined && options.follow === true) return followOne(session, options, id);
        if (id !== undefined) {
          const promotion = await readPromotion(session, id);
          session.output.result(promotion, [...headOf(promotion), ...timelineLines(promotion.history)]);
          return 'passed';
        }
        const read = () => readPromotions(session, options);
        if (options.follow === true) {
          await requireLane(session, options);
          await watchRows(session, {
            heads,
            everyMs: options.every,
            json: options.json ?? false,
            read: async () => ({
              // The newest last, as they come.
              rows: (await read())
                .toReversed()
                .map((promotion) => ({ id: promotion.id, cells: cellsOf(promotion), value: promotion })),
            }),
          });
          return 'passed';
        }
        const promotions = await read();
        if (promotions.length === 0) await requireLane(session, options);
        session.output.result(
          { promotions },
          promotions.length === 0 ? [noneOf(options)] : tableLines(heads, promotions.map(cellsOf)),
        );
        return 'passed';
      }),
    );
};

function noneOf({ lane, search }: Options): string {
  if (search !== undefined) return 'No promotion contains all these words.';
  return lane === undefined ? 'No promotions yet.' : 'No promotions of this lane yet.';
}

/** Without promotions, a lane that does not exist looks like an idle one. Throws Failure 'not-found', and as `askWorker`. */
async function requireLane(session: Session, { lane }: Options): Promise<void> {
  if (lane === undefined) return;
  const { findLanes } = await import('../../operate/find-target-id.ts');
  await findLanes(session, lane);
}

async function readPromotion(session: Session, id: string) {
  const { askWorker } = await import('../../operate/operator-api.ts');
  const { wholePromotionAnswer } = await import('../../operate/operator-answers.ts');
  const path = `promotions/${encodeURIComponent(id)}`;
  return askWorker(session, { method: 'GET', path }, wholePromotionAnswer);
}

/** The newest first. */
async function readPromotions(
  session: Session,
  { lane, search, limit }: Options,
): Promise<readonly PromotionAnswer[]> {
  const { askWorker } = await import('../../operate/operator-api.ts');
  const { promotionsAnswer } = await import('../../operate/operator-answers.ts');
  const query = new URLSearchParams({
    limit: String(limit),
    ...(lane === undefined ? {} : { lane }),
    ...(search === undefined ? {} : { q: search }),
  });
  const path = `promotions?${query.toString()}`;
  return (await askWorker(session, { method: 'GET', path }, promotionsAnswer)).promotions;
}

/** Prints the events of a promotion until it ends. Returns its outcome; 'passed' after Ctrl-C. */
async function followOne(session: Session, options: Options, id: string): Promise<Outcome> {
  let outcome: Outcome = 'passed';
  await watchRows(session, {
    heads: ['EVENT', 'DETAILS'],
    everyMs: options.every,
    json: options.json ?? false,
    async read() {
      const promotion = await readPromotion(session, id);
      const isOver = promotion.state === 'finished';
      if (isOver) outcome = outcomes.find((candidate) => candidate === promotion.outcome) ?? 'indeterminate';
      return { notes: headOf(promotion), rows: eventRows(promotion.history), isOver };
    },
  });
  return outcome;
}

function cellsOf(promotion: PromotionAnswer): string[] {
  return [
    promotion.id,
    promotion.laneName ?? promotion.lane,
    promotion.version ?? '–',
    promotion.outcome ?? promotion.state,
    promotion.createdAt ?? '',
    [promotion.status ?? '', ...(promotion.approvalWait ? [describeWait(promotion.approvalWait)] : [])].join(
      ', ',
    ),
  ];
}

/** The text that says since when a promotion waits for an approval, and who may approve. */
export function describeWait({ since, isOverdue }: NonNullable<PromotionAnswer['approvalWait']>): string {
  return `since ${since.slice(0, 16)}Z${isOverdue ? ' (overdue)' : ''}`;
}

/** Version, lane, commit, status and approvals of a promotion, as lines. */
export function headOf(promotion: PromotionAnswer): string[] {
  const { approvals, override, rejection, evidencePass } = promotion;
  const pusher = promotion.pusher ? `, pushed by ${promotion.pusher}` : '';
  const may = approvals?.mayApprove.length ? `; ${approvals.mayApprove.join(', ')} may approve` : '';
  return [
    `${promotion.id}: ${promotion.version ?? 'version not yet resolved'} through ${promotion.lane}: ${promotion.outcome ?? promotion.state}`,
    `  ${promotion.repository ?? ''} ${promotion.ref ?? ''} at ${promotion.commit.slice(0, 12)}${pusher}`,
    // A message of the platform may have several lines, such as the lines of a file.
    ...(promotion.status ? promotion.status.split('\n').map((line) => `  ${line}`) : []),
    ...(promotion.executionUrl ? [`  execution: ${promotion.executionUrl}`] : []),
    ...(promotion.approvalWait ? [`  ${describeWait(promotion.approvalWait)}`] : []),
    ...(approvals
      ? [`  approvals: ${approvals.given.length} of ${approvals.needed}${listed(approvals.given)}${may}`]
      : []),
    ...(approvals?.comments ?? []).flatMap(({ by, comment }) => [
      `  ${by} wrote:`,
      ...comment.split('\n').map((line) => `    ${line}`),
    ]),
    ...planLines(promotion.plan),
    ...(rejection ? [`  rejected by ${rejection.by}: ${rejection.reason}`] : []),
    ...(override ? [`  freeze override: ${override.reason} (${override.by})`] : []),
    ...(evidencePass ? [`  passed without evidence: ${evidencePass.reason} (${evidencePass.by})`] : []),
  ];
}

/** What a promotion will change: each list with its items, and what is not known. */
function planLines(plan: PromotionAnswer['plan']): readonly string[] {
  if (!plan) return [];
  const { id, parts, unknown } = plan;
  return [
    `  plan ${id}:`,
    ...(parts ?? []).flatMap(({ title, items, more }) => [
      `    ${title}:`,
      ...items.map((item) => `      ${item}`),
      ...(more === 0 ? [] : [`      and ${more} more`]),
    ]),
    ...(unknown ?? []).map((sentence) => `    ${sentence}`),
  ];
}

const listed = (names: readonly string[]): string => (names.length === 0 ? '' : ` (${names.join(', ')})`);
