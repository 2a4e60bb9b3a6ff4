import { z } from 'zod';
import { created, invalid, notFound, ok } from '../answers/answer.ts';
import { page, readBody, type Call, type Route } from './route.ts';
import type { CheckRun } from '../state/state.ts';

/** In bytes, although GitHub's message counts characters. */
const maximumText = 65_535;
const text = z.string().refine((value) => Buffer.byteLength(value) <= maximumText, {
  error: (issue) =>
    `Only ${String(maximumText)} characters are allowed; ${String(Buffer.byteLength(String(issue.input)))} were supplied.`,
});

/** 64 KB, in bytes. */
const large = z.string().refine((value) => Buffer.byteLength(value) <= 65_536, 'is larger than 64 KB');

const annotation = z
  .object({
    path: z
      .string()
      .min(1)
      .refine((path) => !path.startsWith('/')),
    start_line: z.int().min(1),
    end_line: z.int().min(1),
    start_column: z.int().min(1).optional(),
    end_column: z.int().min(1).optional(),
    annotation_level: z.enum(['notice', 'warning', 'failure']),
    message: large.min(1),
    title: z.string().max(255).optional(),
    raw_details: large.optional(),
  })
  .refine((a) => a.end_line >= a.start_line, 'end_line must not be before start_line')
  .refine(
    (a) => a.start_line === a.end_line || (a.start_column === undefined && a.end_column === undefined),
    'start_column and end_column are allowed only where start_line and end_line are the same',
  );

const output = z.object({
  title: z.string().max(255),
  summary: text,
  text: text.optional(),
  annotations: z
    .array(annotation)
    .refine((list) => list.length <= 50, {
      error: (issue) =>
        `No more than 50 items are allowed; ${String(Array.isArray(issue.input) ? issue.input.length : 0)} were supplied.`,
    })
    .optional(),
});

const fields = z.object({
  name: z.string().min(1).optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  conclusion: z
    .enum(['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out'])
    .optional(),
  external_id: z.string().optional(),
  details_url: z.url().optional(),
  started_at: z.iso.datetime().optional(),
  completed_at: z.iso.datetime().optional(),
  output: output.optional(),
  actions: z
    .array(
      z.object({
        label: z.string().max(20),
        description: z.string().max(40),
        identifier: z.string().max(20),
      }),
    )
    .max(3)
    .optional(),
});

const creation = fields.extend({ name: z.string().min(1), head_sha: z.string().regex(/^[0-9a-f]{40}$/u) });

function apply(run: CheckRun, changes: z.infer<typeof fields>): void {
  if (changes.status === 'completed' && changes.conclusion === undefined) {
    throw invalid('Validation Failed', [
      { resource: 'CheckRun', field: 'conclusion', code: 'missing_field' },
    ]);
  }
  run.name = changes.name ?? run.name;
  run.conclusion = changes.conclusion ?? run.conclusion;
  run.status = changes.conclusion === undefined ? (changes.status ?? run.status) : 'completed';
  run.external_id = changes.external_id ?? run.external_id;
  run.details_url = changes.details_url ?? run.details_url;
  run.started_at = changes.started_at ?? run.started_at;
  run.completed_at = changes.completed_at ?? run.completed_at;
  run.actions = changes.actions ?? run.actions;
  if (changes.output === undefined) return;
  const { annotations = [], ...shown } = changes.output;
  run.output = { title: shown.title, summary: shown.summary, text: shown.text ?? run.output.text };
  // The annotations of an update are added to the existing ones.
  run.annotations.push(...annotations);
}

function describe(call: Call, run: CheckRun): Record<string, unknown> {
  // GitHub shows the buttons to people only.
  const { annotations, output: shown, actions: _, ...rest } = run;
  return {
    ...rest,
    node_id: `CR_${String(run.id)}`,
    html_url: `${call.url}/${call.repository.fullName}/runs/${String(run.id)}`,
    output: { ...shown, annotations_count: annotations.length },
  };
}

function runOf(call: Call): CheckRun {
  const run = call.repository.checkRuns.find(({ id }) => String(id) === call.params['id']);
  if (run === undefined) throw notFound();
  return run;
}

export const checkRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/check-runs',
    needs: [['checks', 'write']],
    async handle(call) {
      const input = readBody(creation, call.body);
      if ((await call.repository.git.commit(input.head_sha)) === undefined) {
        throw invalid(`No commit found for SHA: ${input.head_sha}`);
      }
      const run: CheckRun = {
        id: call.state.nextId(),
        head_sha: input.head_sha,
        name: input.name,
        status: 'queued',
        conclusion: null,
        external_id: null,
        details_url: null,
        started_at: call.state.now(),
        completed_at: null,
        actions: [],
        output: { title: null, summary: null, text: null },
        annotations: [],
      };
      apply(run, input);
      call.repository.checkRuns.push(run);
      return created(describe(call, run));
    },
  },
  {
    method: 'PATCH',
    path: '/check-runs/:id',
    needs: [['checks', 'write']],
    handle(call) {
      const run = runOf(call);
      apply(run, readBody(fields, call.body));
      return ok(describe(call, run));
    },
  },
  {
    method: 'GET',
    path: '/check-runs/:id',
    needs: [['checks', 'read']],
    handle: (call) => ok(describe(call, runOf(call))),
  },
  {
    method: 'GET',
    path: '/check-runs/:id/annotations',
    needs: [['checks', 'read']],
    handle: (call) =>
      page(call, `/check-runs/${call.params['id'] ?? ''}/annotations`, runOf(call).annotations),
  },
  {
    method: 'GET',
    path: '/commits/:ref/check-runs',
    needs: [['checks', 'read']],
    async handle(call) {
      const sha = await call.repository.git.commit(call.params['ref'] ?? '');
      const name = call.query.get('check_name');
      const runs = call.repository.checkRuns
        .filter((run) => run.head_sha === sha && (name === null || run.name === name))
        .map((run) => describe(call, run));
      return page(call, `/commits/${call.params['ref'] ?? ''}/check-runs`, runs, 'check_runs');
    },
  },
];
