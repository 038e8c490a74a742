import { useEffect, useRef, useState } from 'preact/hooks';
import { connection } from '../state/connection.js';
import { canOperate, hasErrors, loadPlugins, plugins, problemsOf, serverProblems } from '../state/lists.js';
import { canReloadAndAccept, operationReport, reloadPlugins } from '../state/operate.js';
import type { Plugin } from '../state/types.js';
import { Notice } from './parts.js';
import { PluginCard, Problem } from './plugin-card.js';

const REFRESH_MS = 3_000;

/** The plugins with where they are, what they provide and do, and what is wrong with them. */
export function PluginsView() {
  const [loading, setLoading] = useState<string>();
  useEffect(() => {
    const refresh = () => {
      if (connection.value === 'connected' && !document.hidden) void loadPlugins().catch(() => {});
    };
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    return () => {
      clearInterval(timer);
      operationReport.value = '';
    };
  }, []);
  const reload = async (plugin?: string) => {
    setLoading(plugin ?? '');
    await reloadPlugins(plugin);
    setLoading(undefined);
  };
  const canReload = canReloadAndAccept();
  const broken = plugins.value.filter(
    ({ problems }) => (typeof problems === 'number' ? problems : problems.length) > 0,
  ).length;
  return (
    <section class="page" aria-label="Plugins">
      <div class="page-head">
        <h1>Plugins</h1>
        {canReload && (
          <button type="button" disabled={loading !== undefined} onClick={() => void reload()}>
            {loading === '' ? 'Reloading …' : 'Reload what changed'}
          </button>
        )}
      </div>
      <p class="report" role="status">
        {operationReport.value}
      </p>
      {broken > 0 && <p>{`${broken} of ${plugins.value.length} plugins ${broken === 1 ? 'has' : 'have'} problems.`}</p>}
      {!canOperate.value && (
        <Notice title="You see a summary.">
          Where plugins are, what they do, what is wrong with them, Reload and Accept need a key with the scope{' '}
          <code>mortise:operate</code>.
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
      {useStableOrder(plugins.value).map((plugin) => (
        <PluginCard
          key={plugin.path ?? plugin.name}
          plugin={plugin}
          isLoading={loading === plugin.name}
          onReload={canReload ? reload : undefined}
        />
      ))}
    </section>
  );
}

/** Those with errors come first; none moves while the view is open. */
function useStableOrder(all: readonly Plugin[]): readonly Plugin[] {
  const ranks = useRef(new Map<string, number>());
  const keyOf = ({ path, name }: Plugin) => path ?? name;
  for (const plugin of [...all].sort(byTrouble)) {
    if (!ranks.current.has(keyOf(plugin))) ranks.current.set(keyOf(plugin), ranks.current.size);
  }
  return [...all].sort((a, b) => ranks.current.get(keyOf(a))! - ranks.current.get(keyOf(b))!);
}

function byTrouble(a: Plugin, b: Plugin): number {
  const rank = (plugin: Plugin) => (hasErrors(plugin) ? 1_000 : 0) + problemsOf(plugin).length;
  return rank(b) - rank(a) || a.name.localeCompare(b.name);
}
