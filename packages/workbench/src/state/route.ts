import { signal } from '@preact/signals';

/** The part of the page that an address shows: `#/tools/echo` has the view `tools` and the name `echo`. */
export interface Route {
  readonly view: View;
  /** True if the address names no view. On a narrow screen, this shows the start view instead of the list of tools. */
  readonly isStart?: true;
  /** The name or URI of the shown tool, resource or prompt. */
  readonly name?: string;
  /** The encoded arguments in a link to a tool. */
  readonly encodedArgs?: string;
}

export const VIEWS = ['tools', 'tasks', 'resources', 'prompts', 'plugins', 'sessions', 'history', 'connect'] as const;
export type View = (typeof VIEWS)[number];

export const VIEW_KEYS: Readonly<Record<string, View>> = { t: 'tools', r: 'resources', p: 'plugins', h: 'history' };

export const START = '#/';

export const route = signal<Route>(parse(location.hash));

export function hrefOf(view: View, name?: string, encodedArgs?: string): string {
  return ['#', view, ...[name, encodedArgs].filter((part) => part !== undefined).map(encodeURIComponent)].join('/');
}

export function go(view: View, name?: string): void {
  location.hash = hrefOf(view, name);
}

function parse(hash: string): Route {
  const [viewName = '', name, encodedArgs] = hash.replace(/^#\/?/, '').split('/').map(decode);
  const view = VIEWS.find((candidate) => candidate === viewName);
  if (view === undefined) return { view: 'tools', isStart: true };
  return {
    view,
    ...(name !== undefined && name !== '' && { name }),
    ...(encodedArgs !== undefined && { encodedArgs }),
  };
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
