import { useEffect, useState } from 'preact/hooks';
import { isObject } from '../json/json.js';
import { request } from '../state/connection.js';
import { canOperate, findTool, hasErrors, loadPlugins, plugins, problemsOf, serverProblems } from '../state/lists.js';
import { hrefOf } from '../state/route.js';
import type { Plugin, PluginProblem } from '../state/types.js';
import { formatMs, Notice } from './parts.js';

const RELOAD_TOOL = 'builtin_plugins';

/** The plugins with where they are, what they provide and what is wrong with them. */
export function PluginsView() {
  const [report, setReport] = useState('');
  useEffect(() => void loadPlugins().catch(() => {}), []);
  const reload = async (plugin?: string) => setReport(await reloadPlugins(plugin));
  const canReload = canOperate.value && findTool(RELOAD_TOOL) !== undefined;
  const broken = plugins.value.filter(
    ({ problems }) => (typeof problems === 'number' ? problems : problems.length) > 0,
  ).length;
  return (
    <section class="page" aria-label="Plugins">
      <div class="page-head">
        <h1>Plugins</h1>
        {canReload && (
          <button type="button" onClick={() => void reload()}>
            Reload what changed
          </button>
        )}
      </div>
      <p role="status">
        {report ||
          (broken > 0 ? `${broken} of ${plugins.value.length} plugins ${broken === 1 ? 'has' : 'have'} problems.` : '')}
      </p>
      {!canOperate.value && (
        <Notice title="You see a summary.">
          Where plugins are, what is wrong with them, and Reload need a key with the scope <code>mortise:operate</code>.
        </Notice>
      )}
      {serverProblems.value.map((problem, index) => (
        <Problem key={index} problem={problem} />
      ))}
      {plugins.value.length === 0 && (
        <Notice title="No plugin is loaded.">
          Put a file or a folder into the plugins folder, or run <code>mortise new hello</code>.
        </Notice>
      )}
      {[...plugins.value].sort(byTrouble).map((plugin) => (
        <PluginCard key={plugin.name} plugin={plugin} onReload={canReload ? reload : undefined} />
      ))}
    </section>
  );
}

/** Those with errors come first. */
function byTrouble(a: Plugin, b: Plugin): number {
  const rank = (plugin: Plugin) => (hasErrors(plugin) ? 1_000 : 0) + problemsOf(plugin).length;
  return rank(b) - rank(a) || a.name.localeCompare(b.name);
}

function PluginCard({ plugin, onReload }: { plugin: Plugin; onReload: ((plugin: string) => void) | undefined }) {
  const { name, version, kind, path, state, loadMs } = plugin;
  return (
    <article class="panel plugin" aria-label={name}>
      <div class="plugin-head">
        <h2>
          {name} {version && <span class="hint">{version}</span>}
        </h2>
        <span class={`badge state-of-${state === 'failed' ? 'bad' : state === 'loaded' ? 'good' : 'plain'}`}>
          {state}
        </span>
        {onReload && (
          <button type="button" class="quiet" aria-label={`Reload ${name}`} onClick={() => onReload(name)}>
            Reload
          </button>
        )}
      </div>
      <dl class="facts">
        {kind !== undefined && (
          <div>
            <dt>Kind</dt>
            <dd>{kind}</dd>
          </div>
        )}
        {path !== undefined && (
          <div>
            <dt>From</dt>
            <dd>
              <code>{path}</code>
            </dd>
          </div>
        )}
        {loadMs !== undefined && (
          <div>
            <dt>Loaded in</dt>
            <dd>{formatMs(loadMs)}</dd>
          </div>
        )}
      </dl>
      <Names title="Tools" names={plugin.tools} view="tools" />
      <Names title="Resources" names={plugin.resources} view="resources" />
      <Names title="Prompts" names={plugin.prompts} view="prompts" />
      {problemsOf(plugin).map((problem, index) => (
        <Problem key={index} problem={problem} />
      ))}
    </article>
  );
}

function Names({
  title,
  names,
  view,
}: {
  title: string;
  names: readonly string[];
  view: 'tools' | 'resources' | 'prompts';
}) {
  if (names.length === 0) return null;
  return (
    <p class="names">
      <span class="hint">{title}</span>
      {names.slice(0, 100).map((name) => (
        <a key={name} href={hrefOf(view, name)}>
          {name}
        </a>
      ))}
      {names.length > 100 && <span class="hint">and {names.length - 100} more</span>}
    </p>
  );
}

function Problem({ problem: { severity, code, message, hint, location } }: { problem: PluginProblem }) {
  const where = [location.file, location.line, location.column].filter((part) => part !== undefined).join(':');
  return (
    <Notice kind={severity === 'error' ? 'bad' : 'warn'} title={message}>
      <p>
        <code>{code}</code> <code>{where}</code>
      </p>
      <p>{hint}</p>
    </Notice>
  );
}

async function reloadPlugins(plugin: string | undefined): Promise<string> {
  try {
    const args = { action: 'Reload', ...(plugin !== undefined && { plugin }) };
    const { content } = await request('tools/call', { name: RELOAD_TOOL, arguments: args });
    await loadPlugins();
    const [first] = Array.isArray(content) ? content : [];
    return isObject(first) ? String(first.text) : 'Reloaded.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
