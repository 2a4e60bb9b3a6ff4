/** All slots of this product begin with this. */
export const SLOT_PREFIX = 'millrace_';

/** The name of the slot, and of the publication, of a pipeline. */
export function slotName(pipelineId: string): string {
  return `${SLOT_PREFIX}${pipelineId.replaceAll('-', '_').toLowerCase()}`;
}
