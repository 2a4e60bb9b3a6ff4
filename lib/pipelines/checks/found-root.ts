import { resolveCall } from '../model/calls.ts';
import { callRootSetting, describeCallRoot, type FoundRoot } from '../model/call-root.ts';
import { inCallFolder } from '../model/call-root.ts';
import type { CheckBreach } from './breach.ts';
import type { CallFact } from './call-facts.ts';

/**
 * The violation that calls of a project resolve from another folder than the project's own. It is reported once for
 * a project, at the first such call. The platform resolves calls from the root of what is published, so they may
 * fail there.
 */
export function foundRootBreach(
  file: string,
  calls: readonly CallFact[],
  { paths, root }: { readonly paths: ReadonlySet<string>; readonly root: FoundRoot | undefined },
): readonly CheckBreach[] {
  if (root === undefined || root.firstCaller !== file) return [];
  const call = calls.find(({ target, kind }) => {
    if (kind === 'shared' || target === '' || resolveCall(target, paths, kind) !== undefined) return false;
    const moved = inCallFolder(target, root);
    return moved !== undefined && resolveCall(moved, paths, kind) !== undefined;
  });
  if (call === undefined) return [];
  const place =
    root.calledAs === undefined ? `in "${root.folder}"` : `where calls begin with "${root.calledAs}"`;
  return [
    {
      check: 'unknown-call',
      file,
      component: call.component,
      subject: JSON.stringify([root.folder, root.calledAs ?? null]),
      message: `The component "${call.component}" calls "${call.target}", which does not exist from the project's own folder. ${describeCallRoot(root)} On the platform these calls work only if its project starts ${place}. If it does, set \`${callRootSetting(root)}\` in millrace.yaml.`,
      range: call.range,
      unfixable:
        'Millrace cannot know where the project of the platform starts. Correct the calls by hand, or name the folder in millrace.yaml.',
    },
  ];
}
