import { signal } from '@preact/signals';

/** What the page shows: `tools/echo` has the view `tools` and the name `echo`. */
export interface Route {
  readonly view: View;
  /** The address names no view. A narrow screen then shows the start view, and the list of tools at `tools`. */
  readonly isStart?: true;
  readonly name?: string;
  /** Encoded arguments of a link. */
  readonly shared?: string;
}

export const VIEWS = ['tools', 'tasks', 'resources', 'prompts', 'plugins', 'sessions', 'history', 'connect'] as const;
export type View = (typeof VIEWS)[number];

/** The keys that show views. */
export const VIEW_KEYS: Readonly<Record<string, View>> = { t: 'tools', r: 'resources', p: 'plugins', h: 'history' };

/** The address of the start view. */
export const START = '#/';

export const route = signal<Route>(parse(location.hash));

export function hrefOf(view: View, name?: string, shared?: string): string {
  return ['#', view, ...[name, shared].filter((part) => part !== undefined).map(encodeURIComponent)].join('/');
}

export function go(view: View, name?: string): void {
  location.hash = hrefOf(view, name);
}

function parse(hash: string): Route {
  const [view = '', name, shared] = hash.replace(/^#\/?/, '').split('/').map(decode);
  const known = VIEWS.find((one) => one === view);
  if (known === undefined) return { view: 'tools', isStart: true };
  return { view: known, ...(name !== undefined && name !== '' && { name }), ...(shared !== undefined && { shared }) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

addEventListener('hashchange', () => {
  route.value = parse(location.hash);
});
