import { wholeFile } from '../../core/outcomes/finding.ts';
import type { CheckBreach } from './breach.ts';

/** Files of connectors in the repository. `paths`: the paths of the reviewed files that are one (`isConnectorFile` of lib/git). */
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
