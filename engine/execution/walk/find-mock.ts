import type { Component } from '../../../lib/pipelines/model/component.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { Mock } from '../../orchestration/mocks/mock.ts';
import type { Frame } from '../run/run.ts';

/** The mock of a component. Undefined if the component has no mock. */
export function mockOf({ name }: Component, frame: Frame): Mock | undefined {
  const mocks = frame.run.engine?.mocks;
  if (mocks === undefined) return undefined;
  const { path } = frame.document;
  const keys = [...(isRequested(frame) ? [name] : []), `${path}#${name}`, `${withoutSuffix(path)}#${name}`];
  const key = keys.find((each) => mocks.has(each));
  return key === undefined ? undefined : mocks.get(key);
}

/** The key in `mocks` under which the mock of a component is stored. */
export function mockKey({ name }: Component, frame: Frame): string {
  return isRequested(frame) ? name : `${withoutSuffix(frame.document.path)}#${name}`;
}

function isRequested({ chain, document }: Frame): boolean {
  return chain[0] === document.path;
}
