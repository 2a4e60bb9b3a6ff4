/** What a delivery or a dead letter is about: the ref, or the comment, of a repository; '' if that is unknown. */
export function describeSubject({
  repository,
  ref,
  pull,
}: {
  readonly repository?: string | null | undefined;
  readonly ref?: string | null | undefined;
  readonly pull?: number | null | undefined;
}): string {
  if (!repository) return '';
  if (ref) return `${repository} ${ref}`;
  return pull ? `${repository} comment on #${pull}` : repository;
}
