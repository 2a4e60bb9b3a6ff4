import type { PipelineDocument } from '../../lib/pipelines/read-pipeline.ts';
import { componentType } from '../components/component-types.ts';

/** The components whose SQL becomes part of a view, directly or through others. */
export function storedComponents({ components }: PipelineDocument): ReadonlySet<string> {
  const stored = new Set<string>();
  const add = (name: string): void => {
    if (stored.has(name)) return;
    stored.add(name);
    for (const source of components.get(name)?.sources ?? []) add(source);
  };
  for (const { name, type } of components.values()) if (componentType(type)?.storesSql === true) add(name);
  return stored;
}
