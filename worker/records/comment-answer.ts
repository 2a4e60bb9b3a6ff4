/** What the worker answers, in a comment of its own, to the command in a comment on a pull request. */
export interface CommentAnswer {
  readonly repositoryId: number;
  readonly pull: number;
  /** GitHub's id of the comment with the command. */
  readonly comment: number;
  /** When that comment was written, in milliseconds since the epoch by GitHub's clock. */
  readonly createdAt: number;
  /** What was done, or why nothing was: plain text of a few sentences. */
  readonly text: string;
  /** The promotions whose plans are shown below it, by their ids. */
  readonly promotions: readonly string[];
}

/** The result of a comment's command. */
export interface CommentResult {
  /** For the log and the list of deliveries. */
  readonly text: string;
  /** Undefined if the comment gets no answer. */
  readonly answer: CommentAnswer | undefined;
}

/** Names a comment in the records: the ids of its repository and of the comment. */
export function commentName({
  repositoryId,
  comment,
}: Pick<CommentAnswer, 'repositoryId' | 'comment'>): string {
  return `${repositoryId}/${comment}`;
}
