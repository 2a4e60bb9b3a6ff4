import { text } from './input-field.ts';

/** The input `commit` of an action that checks a commit. */
export function namedCommit(verb: 'review' | 'test' | 'compare') {
  const checkedOut = verb === 'review' ? '' : ' It must be the one that is checked out.';
  return text(
    `Commit id to ${verb}, for an event that is not about a commit, such as \`workflow_run\` or \`issue_comment\`.${checkedOut} Default: the commit of the event.`,
  );
}
