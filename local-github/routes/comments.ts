import { z } from 'zod';
import { created, invalid, notFound, ok, Refusal } from '../answers/answer.ts';
import { page, readBody, type Call, type Route } from './route.ts';
import type { Comment } from '../state/state.ts';

const maximumBody = 65_536;

function unprocessable(message: string): Refusal {
  return invalid('Validation Failed', [
    { resource: 'IssueComment', code: 'unprocessable', field: 'data', message },
  ]);
}

function readText(body: unknown): string {
  const text = readBody(z.object({ body: z.string() }), body).body;
  if (text.trim() === '') throw unprocessable('Body cannot be blank');
  if (text.length > maximumBody)
    throw unprocessable(`Body is too long (maximum is ${String(maximumBody)} characters)`);
  return text;
}

function describe(call: Call, comment: Comment): Record<string, unknown> {
  return {
    id: comment.id,
    body: comment.body,
    user: { login: comment.login, type: comment.login.endsWith('[bot]') ? 'Bot' : 'User' },
    ...(comment.createdAt === undefined
      ? {}
      : { created_at: comment.createdAt, updated_at: comment.createdAt }),
    html_url: `${call.url}/${call.repository.fullName}/pull/${String(comment.issue)}#issuecomment-${String(comment.id)}`,
  };
}

function commentOf(call: Call): Comment {
  const comment = call.repository.comments.find(({ id }) => String(id) === call.params['id']);
  if (comment === undefined) throw notFound();
  return comment;
}

const mayWrite = [
  ['issues', 'write'],
  ['pull_requests', 'write'],
] as const;

/** Routes for the comments of a pull request, which GitHub stores as comments of an issue. */
export const commentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/issues/:number/comments',
    needs: [
      ['issues', 'read'],
      ['pull_requests', 'read'],
    ],
    handle(call) {
      const { number = '' } = call.params;
      if (!call.repository.pulls.some((pull) => String(pull.number) === number)) throw notFound();
      const since = Date.parse(call.query.get('since') ?? '1970-01-01');
      const shown = call.repository.comments
        .filter(({ issue }) => String(issue) === number)
        .filter(({ createdAt }) => createdAt === undefined || Date.parse(createdAt) >= since);
      return page(
        call,
        `/issues/${number}/comments`,
        shown.map((comment) => describe(call, comment)),
      );
    },
  },
  {
    method: 'POST',
    path: '/issues/:number/comments',
    needs: mayWrite,
    handle(call) {
      const issue = Number(call.params['number']);
      const pull = call.repository.pulls.find(({ number }) => number === issue);
      if (pull === undefined) throw notFound();
      if (pull.isLocked === true) throw new Refusal(403, 'Unable to create comment because issue is locked.');
      const comment = {
        id: call.state.nextId(),
        issue,
        login: call.grant.login ?? 'github-actions[bot]',
        body: readText(call.body),
        createdAt: call.state.now(),
      };
      call.repository.comments.push(comment);
      return created(describe(call, comment));
    },
  },
  {
    method: 'PATCH',
    path: '/issues/comments/:id',
    needs: mayWrite,
    handle(call) {
      const comment = commentOf(call);
      comment.body = readText(call.body);
      return ok(describe(call, comment));
    },
  },
  {
    method: 'DELETE',
    path: '/issues/comments/:id',
    needs: mayWrite,
    handle(call) {
      call.repository.comments.splice(call.repository.comments.indexOf(commentOf(call)), 1);
      return { status: 204 };
    },
  },
];
