/** What runs and where, as messages say it; of an execution that was attached to only the id may be known. */
export function describeExecution({
  pipeline,
  environment,
  executionId,
}: {
  readonly pipeline?: string | undefined;
  readonly environment?: string | undefined;
  readonly executionId?: string | undefined;
}): string {
  const name = pipeline ?? `execution ${executionId ?? 'unknown'}`;
  return environment === undefined ? name : `${name} in ${environment}`;
}
