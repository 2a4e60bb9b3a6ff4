import { wholeFile } from '../../core/outcomes/finding.ts';
import type { CheckBreach } from './breach.ts';

/**
 * The violations for connector files in the repository. `paths`: the reviewed files that are connector files
 * (`isConnectorFile` in lib/git).
 */
export function connectorFiles(paths: readonly string[]): readonly CheckBreach[] {
  return paths.map((file) => ({
    check: 'connector-file',
    file,
    subject: '',
    message:
      'This is a connector file. The platform provides connectors itself, so remove the file from the repository.',
    range: wholeFile,
  }));
}
