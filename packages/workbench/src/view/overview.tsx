import { type HistoryEntry, history } from '../state/history.js';
import { hasErrors, plugins, problemsOf, prompts, resources, resourceTemplates, tools } from '../state/lists.js';
import { hrefOf } from '../state/route.js';
import type { Plugin } from '../state/types.js';
import { formatTime, OutcomeBadge } from './parts.js';
import { Problem } from './plugin-card.js';

const MAX_PLUGINS = 12;
const MAX_CALLS = 5;

/** The view before a tool is chosen: first steps, plugins with errors, the latest calls, and the other plugins. */
export function Overview() {
  const broken = plugins.value.filter(hasErrors);
  const served = plugins.value.filter((plugin) => !hasErrors(plugin));
  const calls = history.value.slice(0, MAX_CALLS);
  return (
    <div class="start">
      <header>
        <h1>This server</h1>
        <p class="hint">{listSizes()}</p>
        <a class="to-list" href={hrefOf('tools')}>
          All tools →
        </a>
      </header>
      <FirstSteps />
      {broken.length > 0 && (
        <section aria-label="Plugins that do not load">
          <h2>Plugins that do not load</h2>
          {broken.map((plugin) => (
            <Broken key={plugin.path ?? plugin.name} plugin={plugin} />
          ))}
          <a href={hrefOf('plugins')}>See the plugins</a>
        </section>
      )}
      {calls.length > 0 && (
        <section aria-label="Latest calls">
          <h2>Latest calls</h2>
          <ul class="start-list">
            {calls.map((entry) => (
              <LastCall key={entry.id} entry={entry} />
            ))}
          </ul>
          <a href={hrefOf('history')}>All calls</a>
        </section>
      )}
      <section aria-label="Available plugins">
        <h2>Available plugins</h2>
        <ul class="start-list">
          {served.slice(0, MAX_PLUGINS).map((plugin) => (
            <Served key={plugin.path ?? plugin.name} plugin={plugin} />
          ))}
        </ul>
        <a href={hrefOf('plugins')}>All plugins</a>
      </section>
    </div>
  );
}

function FirstSteps() {
  return (
    <ul class="start-steps">
      <li>
        Choose a tool to try it: its form is made from its JSON Schema. Press <kbd>/</kbd> to search, <kbd>?</kbd> for
        all keys.
      </li>
      <li>
        <a href={hrefOf('connect')}>Connect a client</a>, and its model has the same tools.
      </li>
    </ul>
  );
}

/** The sizes of all lists as a phrase, such as `13 tools, 4 resources and 1 prompt, from 3 plugins.` */
function listSizes(): string {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const parts = [
    count(tools.value?.length ?? 0, 'tool'),
    count(resources.value.length + resourceTemplates.value.length, 'resource'),
    count(prompts.value.length, 'prompt'),
  ];
  return `${parts[0]}, ${parts[1]} and ${parts[2]}, from ${count(plugins.value.length, 'plugin')}.`;
}

function Broken({ plugin }: { plugin: Plugin }) {
  const [problem] = problemsOf(plugin).filter(({ severity }) => severity === 'error');
  return (
    <article class="panel plugin" aria-label={plugin.name}>
      <h3>{plugin.name}</h3>
      {problem ? <Problem problem={problem} /> : <p class="warn">A key with the scope mortise:operate shows why.</p>}
    </article>
  );
}

function LastCall({ entry: { tool, at, outcome, summary } }: { entry: HistoryEntry }) {
  return (
    <li>
      <a href={hrefOf('tools', tool)}>{tool}</a>
      <span class="start-text" title={summary}>
        <OutcomeBadge outcome={outcome} /> {summary}
      </span>
      <span class="hint">{formatTime(at)}</span>
    </li>
  );
}

function Served({ plugin: { name, tools: names, state } }: { plugin: Plugin }) {
  const [first] = names;
  return (
    <li>
      {first === undefined ? <span>{name}</span> : <a href={hrefOf('tools', first)}>{name}</a>}
      <span class="start-text" title={names.join(', ')}>
        {state !== 'loaded' && <span class="badge">{state}</span>} {names.join(', ')}
      </span>
      <span class="hint">{names.length === 1 ? '1 tool' : `${names.length} tools`}</span>
    </li>
  );
}
