/** The text that names pipeline and environment in messages. For an attached execution, only the id may be known. */
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
