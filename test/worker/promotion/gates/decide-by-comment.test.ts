import { expect, test } from 'vitest';
import { decideByComment } from '../../../../worker/intake/ingest/decide-by-comment.ts';
import type { Fault } from '../../../../local-github/server/start-github.ts';
import { commandOf, reduceComment } from '../../../../worker/records/comment-event.ts';
import { planId } from '../../../../worker/records/promotion-plan.ts';
import { answerBody } from '../../../../worker/reporting/github/answers/answer-body.ts';
import { testRedis } from '../../../environment/redis.ts';
import { commentOn, type CommentOptions } from '../../../environment/worker/comment-on.ts';
import { projectId, repositoryName } from '../../../environment/worker/worker-environment.ts';
import { answeredLane, noon } from './answered-lane.ts';
import { approvers, oneLane, type LaneOptions, type OneLane } from './one-lane.ts';

const redis = testRedis();
const minute = 60_000;

interface Commented extends OneLane {
  /** The promotion that waits. */
  readonly promotion: string;
  /** `receivedAt`: by our clock, at once by default. */
  comment(options?: Partial<CommentOptions>, receivedAt?: number): Promise<string>;
}

/** A promotion of a merged pull request that waits for one approval. ada and octocat may write, grace may read only. */
async function waiting(options: LaneOptions = {}): Promise<Commented> {
  const lane = await oneLane(redis, { gates: { approvals: 1 }, ...options });
  const { github } = lane.env;
  const repository = github.repository(repositoryName);
  for (const [id, login, permission] of [
    [11, 'ada', 'write'],
    [12, 'grace', 'read'],
    [1, 'octocat', 'admin'],
    [14, 'mallory', 'write'],
  ] as const)
    repository.collaborators.set(login, { id, login, permission });
  await lane.env.repository.commit('feature', { 'notes.txt': 'feature' }, { from: 'main' });
  github.openPull(repositoryName, { head: 'feature', base: 'main' });
  const promotion = await lane.push('v1.0.0');
  const { task } = await lane.advance(promotion);
  const [pull] = repository.pulls;
  if (pull !== undefined) pull.mergeCommit = task.commit;
  return {
    ...lane,
    promotion,
    async comment(change = {}, receivedAt = noon) {
      const body = commentOn({ text: '/millrace approve', ...change });
      const event = reduceComment(body, { delivery: 'd', digest: 'x', receivedAt });
      if ('ignored' in event) throw new Error(event.ignored);
      return (await decideByComment(event, { github: lane.github, ports: lane.ports })).text;
    },
  };
}

test('a comment of an approver who may write approves the one promotion that waits for the pull request', async () => {
  const lane = await waiting();
  const written = { id: 4711, issue: 1, login: 'ada', body: '/millrace approve\nChecked with finance.' };
  lane.env.github.repository(repositoryName).comments.push(written);
  expect(await lane.comment()).toBe(`approved promotion ${lane.promotion}`);
  expect(await lane.advance(lane.promotion)).toMatchObject({
    outcome: 'passed',
    approvals: [{ by: 'ada', comment: 'Checked with finance.' }],
  });
  expect(await lane.ask('ada', 'GET', 'audit')).toMatchObject({
    body: { entries: [{ by: 'ada', via: 'comment', act: 'approve', promotion: lane.promotion }] },
  });
});

test.each<[string, Partial<CommentOptions>, string]>([
  [
    'anyone who pushed',
    { author: { id: 1, login: 'octocat' } },
    'nothing was done: a person who pushed or requested a version cannot approve it',
  ],
  [
    'a person who may only read',
    { author: { id: 12, login: 'grace' } },
    'nothing was done: the author has no write access to the repository',
  ],
  [
    'a writer who is not an approver',
    { author: { id: 14, login: 'mallory' } },
    'nothing was done: the person is not listed in `approvers` of the repository in worker.yaml',
  ],
  [
    'a stranger',
    { author: { id: 99, login: 'eve' } },
    'nothing was done: GitHub does not know the author as a user of the repository',
  ],
  [
    'another who has the login of ada now',
    { author: { id: 98, login: 'ada' } },
    'nothing was done: GitHub does not know the author as a user of the repository',
  ],
  ['ada on another pull request', { pull: 2 }, 'nothing was done: GitHub did not find the pull request'],
  [
    'ada for another lane',
    { text: '/millrace approve to-prod' },
    'nothing was done: no promotion of this pull request waits for approval in the lane to-prod; promotions wait in to-test',
  ],
  [
    'ada long before the promotion was there',
    { createdAt: '2031-01-01T11:57:00Z' },
    'nothing was done: the comment arrived late, and the version that its author saw is not known; comment again',
  ],
])('a comment of %s does nothing, and the log says why', async (_, change, result) => {
  const lane = await waiting();
  expect(await lane.comment(change)).toBe(result);
  expect((await lane.advance(lane.promotion)).approvals).toEqual([]);
  expect(lane.promotions()).toBe(0);
});

test('the pusher is recognized by id although the login has changed', async () => {
  const lane = await waiting({ policy: approvers.replace('octocat', 'newcat') });
  lane.env.github
    .repository(repositoryName)
    .collaborators.set('newcat', { id: 1, login: 'newcat', permission: 'write' });
  expect(await lane.comment({ author: { id: 1, login: 'newcat' } })).toBe(
    'nothing was done: a person who pushed or requested a version cannot approve it',
  );
});

test('if two lanes wait for the same commit, the comment must name one', async () => {
  const lane = await waiting();
  const { task } = await lane.advance(lane.promotion);
  await lane.ports.store.accept({
    promotionId: 'prod',
    order: 'any',
    head: { field: '', value: '' },
    task: { ...task, lane: { ...task.lane, name: 'to-prod', to: 'prod', id: '77/p/to-prod' } },
  });
  expect(await lane.comment()).toBe(
    'nothing was done: 2 promotions wait for approval; name one of the lanes to-prod, to-test',
  );
  expect(await lane.comment({ text: '/millrace approve to-test' })).toBe(
    `approved promotion ${lane.promotion}`,
  );
  expect((await lane.ports.store.promotion('prod'))?.approvals).toEqual([]);
});

test('a comment after a newer push approves neither the old promotion nor the new one', async () => {
  const lane = await waiting();
  const fresh = await lane.push('v1.1.0');
  expect(await lane.comment()).toBe(
    'nothing was done: a newer push has superseded this promotion; approve the newer one',
  );
  await lane.advance(lane.promotion);
  expect(await lane.comment()).toBe('nothing was done: no promotion of this pull request waits for approval');
  expect((await lane.advance(fresh)).approvals).toEqual([]);
});

test('an operator with a configured login is not the GitHub user with the operator’s name', async () => {
  const policy = `${approvers.trimEnd()}
operators:
  - { name: ada, github: lovelace, role: approver, repositories: all, token-hash: "sha256:${'a'.repeat(64)}" }`;
  const lane = await waiting({ policy });
  expect(await lane.comment()).toBe(
    'nothing was done: the person is not listed in `approvers` of the repository in worker.yaml',
  );
  lane.env.github
    .repository(repositoryName)
    .collaborators.set('lovelace', { id: 20, login: 'lovelace', permission: 'write' });
  expect(await lane.comment({ author: { id: 20, login: 'lovelace' } })).toBe(
    `approved promotion ${lane.promotion}`,
  );
});

test('a comment rejects with the reason below the command, also of the person who pushed', async () => {
  const lane = await waiting();
  const by = { author: { id: 1, login: 'octocat' }, text: '/millrace reject to-test' };
  // GitHub lists it late.
  expect(await lane.comment(by)).toMatch(
    /^nothing was done: GitHub does not show the comment, .* comment again$/,
  );
  const comment = { id: 4711, issue: 1, login: 'octocat', body: by.text };
  lane.env.github.repository(repositoryName).comments.push(comment);
  expect(await lane.comment(by)).toMatch(/^nothing was done: a rejection needs a reason/);
  comment.body = `${by.text}\r\n\r\nThe figures\nare wrong.\n`;
  expect(await lane.comment(by)).toBe(`rejected promotion ${lane.promotion}`);
  expect(await lane.advance(lane.promotion)).toMatchObject({
    outcome: 'cancelled',
    message: 'rejected by octocat: The figures\nare wrong.',
    rejection: { by: 'octocat', via: 'comment', githubId: 1, reason: 'The figures\nare wrong.' },
  });
  expect(lane.promotions()).toBe(0);
});

test.each([
  ['/millrace approve', 'better not'],
  ['/millrace reject to-test\nWrong figures.', 'I did not mean it\nSorry.'],
])('the comment %j does nothing if it says %j before the worker handles it', async (text, body) => {
  const lane = await waiting();
  lane.env.github.repository(repositoryName).comments.push({ id: 4711, issue: 1, login: 'ada', body });
  expect(await lane.comment({ text })).toBe('nothing was done: the comment was deleted or changed');
  expect((await lane.advance(lane.promotion)).state).toBe('active');
});

/** The comment of noon is seen to an hour later, on a pull request that was merged before. */
async function late(options: LaneOptions = {}) {
  const lane = await waiting({ start: noon - minute, ...options });
  const repository = lane.env.github.repository(repositoryName);
  const [pull] = repository.pulls;
  if (pull !== undefined) pull.mergedAt = '2031-01-01T11:58:00Z';
  const comment = { id: 4711, issue: 1, login: 'ada', body: '/millrace approve' };
  repository.comments.push(comment);
  return { ...lane, repository, pull, comment: lane.comment, permission: comment };
}

test('a comment that was given up and is replayed later approves what its author saw', async () => {
  const lane = await late();
  await lane.clock.advance(60 * minute);
  expect(await lane.comment()).toBe(`approved promotion ${lane.promotion}`);
  expect(await lane.advance(lane.promotion)).toMatchObject({ outcome: 'passed' });
});

test.each<[string, (lane: Awaited<ReturnType<typeof late>>) => void, string]>([
  [
    'was deleted in the meantime',
    ({ repository }) => repository.comments.splice(0),
    'nothing was done: the comment was deleted or changed',
  ],
  [
    'says something else now',
    ({ permission }) => (permission.body = 'better not'),
    'nothing was done: the comment was deleted or changed',
  ],
  [
    'names another lane now',
    ({ permission }) => (permission.body = '/millrace approve to-prod'),
    'nothing was done: the comment was deleted or changed',
  ],
  [
    'came before the pull request was merged',
    ({ pull }) => pull !== undefined && (pull.mergedAt = '2031-01-01T12:00:01Z'),
    'nothing was done: the comment arrived late, and the version that its author saw is not known; comment again',
  ],
  [
    'is of a person who may no longer write',
    ({ repository }) => repository.collaborators.set('ada', { id: 11, login: 'ada', permission: 'read' }),
    'nothing was done: the author has no write access to the repository',
  ],
])('a late comment that %s approves nothing', async (_, change, result) => {
  const lane = await late();
  await lane.clock.advance(60 * minute);
  change(lane);
  expect(await lane.comment()).toBe(result);
  expect((await lane.advance(lane.promotion)).approvals).toEqual([]);
});

test('a late comment does not approve a promotion that was created after it', async () => {
  // Within what the clocks may differ by: a comment that comes at once finds no such promotion.
  const lane = await late({ start: noon + 1_000 });
  await lane.clock.advance(60 * minute);
  const nothing = 'nothing was done: no promotion of this pull request waits for approval';
  expect(await lane.comment({}, noon + 500)).toBe(nothing);
  expect(await lane.comment({}, noon + 59 * minute)).toBe(nothing);
  expect((await lane.advance(lane.promotion)).approvals).toEqual([]);
});

test('a version that the promotion found after the comment is not what its author saw', async () => {
  const lane = await late();
  const { task } = await lane.advance(lane.promotion);
  await lane.ports.store.cancel(lane.promotion, 'root');
  await lane.advance(lane.promotion);
  await lane.ports.store.accept({
    promotionId: 'newest',
    order: 'any',
    head: { field: '', value: '' },
    task: { ...task, version: { kind: 'latest' } },
  });
  // It finds its version a moment after the comment was written.
  await lane.clock.advance(minute + 1_000);
  expect((await lane.advance('newest')).version).toBe('v1.0.0');
  await lane.clock.advance(60 * minute);
  expect(await lane.comment()).toBe('nothing was done: no promotion of this pull request waits for approval');
  const again = { createdAt: new Date(lane.clock.now()).toISOString() };
  expect(await lane.comment(again, lane.clock.now())).toBe('approved promotion newest');
});

test('a comment approves no version that is disabled in its source', async () => {
  const lane = await waiting();
  const name = { projectId, environmentName: 'dev', versionName: 'v1.0.0' };
  await lane.env.client.artifacts.setEnabled({ ...name, enabled: false });
  expect(await lane.comment()).toBe(
    'nothing was done: v1.0.0 is disabled in dev: enable it there first, or promote another version',
  );
  expect((await lane.ports.store.promotion(lane.promotion))?.approvals).toEqual([]);
});

test('each command gets one answer with the plan, and who may not write gets none', async () => {
  const lane = await answeredLane(redis);
  const id = planId(lane.plan.digest);
  const plan = `The plan <code>${id}</code> (\`/millrace approve to-test plan:${id}\`):`;
  const answers: [string, string, string, boolean][] = [
    [
      '/millrace plan',
      'mallory',
      '1 promotion of this pull request needs approvals. Nothing was changed.',
      true,
    ],
    ['/millrace plan to-prod', 'ada', 'in the lane to-prod; promotions wait in to-test.', false],
    ['/millrace approve', 'mallory', 'Nothing was done: the person is not listed in', false],
    ['/millrace aprove', 'ada', 'no command that the worker knows. Write one command', false],
    [`/millrace approve to-test plan:${'0'.repeat(12)}`, 'ada', 'is not plan:000000000000 any more', true],
    [
      '/millrace approve',
      'ada',
      'The comment approves the promotion of v1.0.0 to test in the lane to-test.',
      true,
    ],
    ['/millrace approve', 'ada', 'Nothing was done: the person has already approved this version.', true],
    ['/millrace reject', 'grace', 'GitHub does not show the comment, which must have the reason', false],
    [`/millrace approve plan:${id}`, 'grace', 'The comment approves', true],
  ];
  for (const [text, login, says, hasPlan] of answers) {
    const body = plainText((await lane.ask(text, login)) ?? '');
    expect(body).toMatch(
      /^<!-- millrace:answer:47\d\d -->\n\[Your command\]\(.*\/example\/warehouse\/pull\/1#issuecomment-47\d\d\): /u,
    );
    expect(body).toContain(says);
    expect(body.includes(plan)).toBe(hasPlan);
  }
  const [first = '', , , , , approved = '', , , last = ''] = lane.answers();
  const exactly = `To approve exactly this plan, comment:\n\n\`\`\`\n/millrace approve to-test plan:${id}\n\`\`\``;
  expect(first).toContain('Waiting for 2 approvals (ada, grace may approve)');
  expect(first).toContain(exactly);
  expect(first).toContain(`(https://worker.example.com/promotions/${lane.promotion})`);
  expect(approved).toContain('Waiting for 1 more approval (grace may approve; ada has)');
  // It needs no more approvals.
  expect(last).not.toContain(exactly);
  for (const login of ['eve', 'nobody']) expect(await lane.ask('/millrace plan', login)).toBeUndefined();
  expect(lane.answers()).toHaveLength(answers.length);
  // Each is one request that writes, and counts in the limit of all workers.
  const counted = await redis.connect().zcard(`${lane.env.prefix}:github:token:writes`);
  expect(counted).toBe(answers.length);
  // No answer is a command, also with a token whose user is a person.
  for (const text of lane.answers()) expect(commandOf(text)).toBeUndefined();
});

test('a comment whose worker died after its decision is answered once, with the decision', async () => {
  const lane = await answeredLane(redis);
  const approve = ['/millrace approve', 'ada', { id: 4800 }] as const;
  const { text } = await lane.command(...approve);
  const { text: again, answer } = await lane.command(...approve);
  expect(again).toBe(text);
  if (answer === undefined) return expect.unreachable();
  // The job runs once more, or the dead letter is replayed, also after the answer.
  for (let round = 0; round < 2; round += 1) {
    await lane.answerer.offer(answer);
    await lane.answerer.sendDue();
  }
  expect(lane.answers()).toHaveLength(1);
  expect(lane.answers()[0]).toContain('The comment approves');
  await lane.answerer.offer(answer);
  expect(await lane.outbox.take(1)).toBeUndefined();
  const body = '/millrace reject\nWrong figures.';
  lane.repository.comments.push({ id: 4801, issue: 1, login: 'grace', body });
  const reject = async () => (await lane.command(body, 'grace', { id: 4801 })).text;
  expect(await reject()).toBe(`rejected promotion ${lane.promotion}`);
  for (const later of ['/millrace approve', '/millrace plan'])
    expect((await lane.command(later, 'grace')).text).toBe(
      'nothing was done: no promotion of this pull request waits for approval; what waited in to-test was rejected or cancelled, and is about to end',
    );
  expect((await lane.advance(lane.promotion)).outcome).toBe('cancelled');
  expect(await reject()).toBe(`rejected promotion ${lane.promotion}`);
});

test('an answer is written once whatever GitHub answers, and given up if GitHub never takes it', async () => {
  const lane = await answeredLane(redis);
  const { env, clock, pull, permissions } = lane;
  const onWrite =
    (fault: ReturnType<Fault>): Fault =>
    ({ method }) =>
      method === 'POST' ? fault : undefined;
  const limited = {
    status: 403,
    headers: { 'retry-after': '60' },
    body: { message: 'a secondary rate limit' },
  };
  const retried = 'A comment could not be answered yet.';
  const givenUp = 'The answer to a comment was given up.';
  /** What goes wrong until it is fixed, the warning, and the answers in the end. */
  const faults: [string, () => void, () => void, string, number][] = [
    ['its answer is lost', () => env.github.interfere(onWrite('lose')), () => undefined, retried, 1],
    ['the connection is cut', () => env.github.interfere(onWrite('drop')), () => undefined, retried, 1],
    [
      'it is locked',
      () => (pull.isLocked = true),
      () => (pull.isLocked = false),
      `${givenUp} .*is locked`,
      0,
    ],
    [
      'a permission is missing',
      () => (permissions['pull_requests'] = 'read'),
      () => (permissions['pull_requests'] = 'write'),
      `${givenUp} .*pull-requests: write`,
      0,
    ],
    [
      'the pull request is gone',
      () => lane.repository.pulls.splice(0),
      () => lane.repository.pulls.push(pull),
      `${givenUp} .*Not Found`,
      0,
    ],
    // Nothing is sent to GitHub before its pause of a minute ends, on the clock of the machine.
    ['there is a limit', () => env.github.interfere(onWrite(limited)), () => undefined, retried, 0],
  ];
  for (const [name, fault, fix, warning, count] of faults) {
    const { answer } = await lane.command('/millrace plan');
    if (answer === undefined) return expect.unreachable();
    await lane.answerer.offer(answer);
    fault();
    await lane.answerer.sendDue();
    env.github.interfere(undefined);
    fix();
    expect(lane.warnings.at(-1)).toMatch(new RegExp(`^${warning}`, 'u'));
    await clock.advance(600_000);
    await lane.answerer.sendDue();
    const written = lane.answers().filter((body) => body.includes(`answer:${answer.comment} `));
    expect([name, written.length]).toEqual([name, count]);
  }
  // Only the last one is still to be written.
  expect(await lane.outbox.take(1)).toBeUndefined();
  await clock.advance(600_000);
  expect(await lane.outbox.take(1)).toMatchObject({ open: undefined });
  expect(await lane.outbox.take(1)).toBeUndefined();
});

test('a worker that has not read the new setting leaves new answers to the others, and gives old ones up', async () => {
  const lane = await answeredLane(redis);
  const off = lane.answererWith({ isOn: () => false });
  const offer = async () => {
    const { answer } = await lane.command('/millrace plan');
    if (answer !== undefined) await lane.answerer.offer(answer);
  };
  await offer();
  await off.sendDue();
  await lane.clock.advance(minute);
  await lane.answerer.sendDue();
  expect(lane.answers()).toHaveLength(1);
  await offer();
  await lane.clock.advance(2 * minute);
  await off.sendDue();
  await lane.clock.advance(minute);
  await lane.answerer.sendDue();
  expect(lane.answers()).toHaveLength(1);
});

test('a refused write does not hide an earlier one whose answer was lost, if GitHub lists that one late', async () => {
  const lane = await answeredLane(redis);
  const { answer } = await lane.command('/millrace plan');
  if (answer === undefined) return expect.unreachable();
  await lane.answerer.offer(answer);
  const faults: Fault[] = [
    ({ method }) => (method === 'POST' ? 'lose' : undefined),
    ({ method, path }) =>
      method === 'POST'
        ? { status: 403, body: { message: 'Try again later' } }
        : path.endsWith('/comments')
          ? { status: 200, body: [] }
          : undefined,
    () => undefined,
  ];
  for (const fault of faults) {
    lane.env.github.interfere(fault);
    await lane.answerer.sendDue();
    await lane.clock.advance(25_000);
  }
  expect(lane.answers()).toHaveLength(1);
  expect(lane.warnings).toHaveLength(2);
});

test('a sender that was frozen while it wrote leaves one answer, and secrets are masked', async () => {
  const lane = await answeredLane(redis);
  const { answer } = await lane.command('/millrace plan');
  if (answer === undefined) return expect.unreachable();
  await lane.answerer.offer({ ...answer, text: `${answer.text} <b>@ada</b> s3cret` });
  const frozen = lane.answererWith({
    github: {
      ...lane.github,
      comments: {
        ...lane.github.comments,
        async create(...given) {
          await lane.clock.advance(60_000);
          await lane.answerer.sendDue();
          return lane.github.comments.create(...given);
        },
      },
    },
  });
  await frozen.sendDue();
  await lane.answerer.sendDue();
  const [body = '', ...others] = lane.answers();
  expect(others).toEqual([]);
  expect(body).toContain('[secret]');
  expect(body).not.toMatch(/s3cret|<b>|@/u);
});

test('an answer of many long plans fits into a comment, and says which are left out', async () => {
  const lane = await answeredLane(redis);
  const promotion = await lane.advance(lane.promotion);
  const names = Array.from({ length: 20 }, (_, index) => `@table_${index} ${'&'.repeat(400)}`);
  const list = { count: 30, first: names };
  const difference = {
    changed: { count: 0, first: [] },
    affected: { count: 0, first: [] },
    tables: { count: 0, first: [] },
    entryPoints: list,
    unknownColumns: list,
    broken: list,
    connectors: list,
    shared: list,
    published: list,
  };
  const long = { ...promotion, plan: { ...lane.plan, difference } };
  const answer = { repositoryId: 77, pull: 1, comment: 5, createdAt: noon, text: 'Done.', promotions: [] };
  const parts = Array.from({ length: 12 }, (_, index) => ({
    promotion: {
      ...long,
      task: {
        ...long.task,
        lane: { ...long.task.lane, name: index === 11 ? 'www.lane.example' : `lane-${index}` },
      },
    },
    missing: '&'.repeat(800),
    address: undefined,
  }));
  const { body, shown } = answerBody(answer, parts, { webUrl: 'https://host', fullName: 'a/b' });
  // The rest is for the names of the lanes that are left out, with escapes.
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(60_400);
  expect(shown.length).toBeGreaterThan(1);
  // Not the whole text, which is long, in the message of a failure.
  const lastLine = body.trimEnd().split('\n').at(-1);
  expect(lastLine).toMatch(
    /too long with the plans of \d more\..*one of the lanes lane-\d, .*www\u200B\.lane\.example\.$/u,
  );
  expect(body.includes('its lists are shortened. The page of the promotion has more.')).toBe(true);
  expect(body.includes('@table')).toBe(false);
});

/** The text of an answer without the escapes of Markdown. */
function plainText(markdown: string): string {
  return markdown
    .replace(/&#(\d+);/gu, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('\u200B', '');
}
