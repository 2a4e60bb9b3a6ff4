/** One command found in a line of output. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

const known = new Set([
  'add-mask',
  'add-matcher',
  'add-path',
  'debug',
  'echo',
  'endgroup',
  'error',
  'group',
  'notice',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands',
  'warning',
]);

function unescapeData(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}

function unescapeProperty(text: string): string {
  return unescapeData(text.replaceAll('%3A', ':').replaceAll('%2C', ','));
}

function readProperties(
  text: string,
  separator: string,
  unescape: (text: string) => string,
): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const pair of text.split(separator)) {
    const at = pair.indexOf('=');
    if (at > 0) properties[pair.slice(0, at).trim()] = unescape(pair.slice(at + 1));
  }
  return properties;
}

function split(info: string): { name: string; rest: string } {
  const space = info.indexOf(' ');
  return space === -1
    ? { name: info, rest: '' }
    : { name: info.slice(0, space), rest: info.slice(space + 1).trim() };
}

/**
 * Reads a line as the runner does: `::name key=value,…::message` after any white space, and the older
 * `##[name key=value;…]message` *anywhere* in the line. Anything else is plain output (`undefined`).
 */
export function parseCommand(line: string): WorkflowCommand | undefined {
  const start = line.trimStart();
  const end = start.startsWith('::') ? start.indexOf('::', 2) : -1;
  if (end > 0) {
    const { name, rest } = split(start.slice(2, end));
    if (known.has(name.toLowerCase())) {
      const properties = readProperties(rest, ',', unescapeProperty);
      return { name: name.toLowerCase(), properties, message: unescapeData(start.slice(end + 2)) };
    }
  }
  const old = line.indexOf('##[');
  const close = old === -1 ? -1 : line.indexOf(']', old);
  if (close === -1) return undefined;
  const { name, rest } = split(line.slice(old + 3, close));
  if (!known.has(name.toLowerCase())) return undefined;
  const properties = readProperties(rest, ';', unescapeProperty);
  return { name: name.toLowerCase(), properties, message: unescapeData(line.slice(close + 1)) };
}
