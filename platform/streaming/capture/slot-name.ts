/** The start of the names of all slots that Millrace creates. */
export const SLOT_PREFIX = 'millrace_';

/** The name of a pipeline's replication slot, and of its publication. */
export function slotName(pipelineId: string): string {
  return `${SLOT_PREFIX}${pipelineId.replaceAll('-', '_').toLowerCase()}`;
}
