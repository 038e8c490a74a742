import { KEY_REFUSED } from 'mortise/core/page-names';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { connect, connection, connectionMessage, listenRefusal, server, useKey } from '../state/connection.js';
import {
  areListsKnown,
  changedTools,
  findByAuthorName,
  hasErrors,
  PROJECT_TOOL,
  plugins,
  principal,
  prompts,
  resources,
  resourceTemplates,
  tools,
} from '../state/lists.js';
import { isOpen, taskRuns } from '../state/live-run.js';
import { go, hrefOf, route, START, VIEW_KEYS, VIEWS, type View } from '../state/route.js';
import { chooseTheme, THEMES, type Theme, theme } from '../state/theme.js';
import { KeyHelp } from './key-help.js';
import { lazy } from './lazy.js';
import { Notice } from './parts.js';
import { ToolsView } from './tools-view.js';

const TITLES: Readonly<Record<View, string>> = {
  tools: 'Tools',
  tasks: 'Tasks',
  resources: 'Resources',
  prompts: 'Prompts',
  plugins: 'Plugins',
  sessions: 'Sessions',
  history: 'History',
  connect: 'Connect',
};

/** The component of each view. All but the first view are loaded when they are opened. */
const COMPONENTS: Readonly<Record<View, ComponentType>> = {
  tools: ToolsView,
  tasks: lazy(() => import('./tasks-view.js').then(({ TasksView }) => TasksView)),
  resources: lazy(() => import('./resources-view.js').then(({ ResourcesView }) => ResourcesView)),
  prompts: lazy(() => import('./prompts-view.js').then(({ PromptsView }) => PromptsView)),
  plugins: lazy(() => import('./plugins-view.js').then(({ PluginsView }) => PluginsView)),
  sessions: lazy(() => import('./sessions-view.js').then(({ SessionsView }) => SessionsView)),
  history: lazy(() => import('./history-view.js').then(({ HistoryView }) => HistoryView)),
  connect: lazy(() => import('./connect-view.js').then(({ ConnectView }) => ConnectView)),
};

export function App() {
  const { view } = route.value;
  const Shown = COMPONENTS[view];
  const [helpIsOpen, setHelpIsOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => handleKey(event, () => setHelpIsOpen(true));
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    document.title = `${route.value.name ?? TITLES[view]} · Mortise workbench`;
  }, [view, route.value.name]);
  const views = VIEWS.filter((name) => name === view || isOffered(name));
  useEffect(() => {
    // Scroll in a frame, because scrolling needs the layout that the browser computes for the frame anyway.
    requestAnimationFrame(() =>
      document.querySelector('.nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
  }, [view, views.length, areListsKnown.value]);
  return (
    <>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the content
      </a>
      <Header />
      <nav aria-label="Views" class="nav">
        {views.map((name) => (
          <a key={name} href={hrefOf(name)} aria-current={name === view ? 'page' : undefined}>
            {TITLES[name]}
            <Count view={name} />
          </a>
        ))}
        <button
          type="button"
          class="quiet nav-help"
          aria-label="Keys"
          title="Keys (?)"
          onClick={() => setHelpIsOpen(true)}
        >
          ?
        </button>
      </nav>
      <ConnectionNotice />
      <main id="main" tabIndex={-1}>
        {connection.value === 'locked' ? <KeyForm /> : <Shown />}
      </main>
      {helpIsOpen && <KeyHelp onClose={() => setHelpIsOpen(false)} />}
    </>
  );
}

/** Hides views without content: tasks before the first call becomes one, sessions without the .NET tools. */
function isOffered(name: View): boolean {
  if (name === 'tasks') return taskRuns.value.length > 0;
  return name !== 'sessions' || findByAuthorName(PROJECT_TOOL) !== undefined;
}

function focusMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** Focuses the search field; on a narrow screen, goes to the list of tools first if it is not shown. */
function focusSearch(): void {
  const search = () => document.querySelector<HTMLElement>('[data-search]');
  if (search()?.offsetParent == null) {
    addEventListener('hashchange', () => requestAnimationFrame(() => search()?.focus()), { once: true });
    go('tools');
  }
  search()?.focus();
}

function handleKey(event: KeyboardEvent, openHelp: () => void): void {
  const target = event.target as HTMLElement;
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    document.querySelector<HTMLElement>('[data-run]')?.click();
    return;
  }
  const isTyping = target.matches('input, textarea, select, [contenteditable]');
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const view = VIEW_KEYS[event.key];
  if (event.key === '?') openHelp();
  else if (event.key === '/') focusSearch();
  else if (view !== undefined) go(view);
  else return;
  event.preventDefault();
}

function Header() {
  const state = connection.value;
  const text = {
    connecting: 'Connecting …',
    connected: 'Connected',
    disconnected: 'Disconnected',
    locked: 'Key needed',
  }[state];
  return (
    <header class="header">
      <a class="brand" href={START}>
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M3 4h7v6h4V4h7v16H3z" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" />
        </svg>
        <span>
          {server.value?.name ?? 'Mortise'} <span class="brand-version">{server.value?.version ?? '\u00a0'}</span>
        </span>
      </a>
      <ProfileName />
      <span class={`state state-${state}`} role="status">
        {text}
      </span>
      <label class="theme">
        <span class="visually-hidden">Colours</span>
        <select value={theme.value} onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}>
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {{ system: 'System', light: 'Light', dark: 'Dark' }[name]}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}

function ProfileName() {
  if (principal.value === undefined || connection.value === 'locked') return null;
  const { name, scopes, profiles } = principal.value;
  const isNarrowed = profiles.length > 0;
  const extent = isNarrowed ? `You see what ${profiles.join(' and ')} shows.` : 'You see everything.';
  return (
    <span
      class={`profile ${isNarrowed ? 'profile-narrowed' : ''}`}
      title={`${extent} The server identifies this page as ${name}, with the scopes ${scopes.join(', ')}.`}
    >
      <span class="profile-of">{name}, </span>
      {isNarrowed ? `profile ${profiles.join(' + ')}` : 'no profile'}
    </span>
  );
}

function Count({ view }: { view: View }) {
  const counts: Partial<Record<View, number | undefined>> = {
    tools: tools.value?.length,
    tasks: taskRuns.value.filter(isOpen).length,
    resources: resources.value.length + resourceTemplates.value.length,
    prompts: prompts.value.length,
    plugins: plugins.value.length,
  };
  const broken = view === 'plugins' && plugins.value.some(hasErrors);
  return (
    <>
      {view in counts && <span class={`count${areListsKnown.value ? '' : ' unknown'}`}>{counts[view]}</span>}
      {broken && <span class="dot dot-bad" role="img" aria-label="has errors" />}
      {view === 'tasks' && taskRuns.value.some(({ state }) => state === 'waiting') && (
        <span class="dot" role="img" aria-label="asks" />
      )}
      {view === 'tools' && changedTools.value.size > 0 && <span class="dot" role="img" aria-label="has changes" />}
    </>
  );
}

function ConnectionNotice() {
  if (connection.value === 'connected' && listenRefusal.value !== '') {
    return (
      <Notice kind="warn" title="The server does not announce its changes to this page.">
        {listenRefusal.value} The page reads its lists every few seconds instead. Close other pages or clients that use
        the same key.
      </Notice>
    );
  }
  if (connection.value !== 'disconnected') return null;
  return (
    <Notice kind="bad" title="The server is not connected.">
      {connectionMessage.value} The page keeps trying to connect, and keeps what you entered.{' '}
      <button type="button" onClick={() => void connect()}>
        Try now
      </button>
    </Notice>
  );
}

function KeyForm() {
  const [key, setKey] = useState('');
  return (
    <form
      class="panel key-form"
      onSubmit={(event) => {
        event.preventDefault();
        useKey(key.trim());
      }}
    >
      <h1>Access key</h1>
      <p>
        {connectionMessage.value.startsWith(KEY_REFUSED) ? (
          <>
            {KEY_REFUSED} Enter a key that the server has in its setting <code>Auth.Keys</code>.
          </>
        ) : (
          connectionMessage.value
        )}
      </p>
      <label class="stacked">
        Key
        <input
          type="password"
          autocomplete="off"
          required
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
      </label>
      <p class="hint">This tab keeps the key until you close it.</p>
      <button type="submit" class="primary">
        Connect
      </button>
    </form>
  );
}
