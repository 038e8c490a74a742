import { useEffect, useRef, useState } from 'preact/hooks';
import { connection, hasKey } from '../state/connection.js';
import { canOperate, hasErrors, loadPlugins, plugins, problemsOf, serverProblems } from '../state/lists.js';
import { canReloadAndAccept, operationReport, reloadPlugins } from '../state/operate.js';
import type { Plugin } from '../state/types.js';
import { Notice } from './parts.js';
import { PluginCard, Problem } from './plugin-card.js';

const REFRESH_MS = 3_000;

/** Reads the plugins again every few seconds while it is open, because their activity changes all the time. */
export function PluginsView() {
  // The name of the plugin that is reloading; empty while all changed plugins are reloading.
  const [reloading, setReloading] = useState<string>();
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
    setReloading(plugin ?? '');
    await reloadPlugins(plugin);
    setReloading(undefined);
  };
  const canReload = canReloadAndAccept();
  const problematicCount = plugins.value.filter(
    ({ problems }) => (typeof problems === 'number' ? problems : problems.length) > 0,
  ).length;
  return (
    <section class="page" aria-label="Plugins">
      <div class="page-head">
        <h1>Plugins</h1>
        {canReload && (
          <button type="button" disabled={reloading !== undefined} onClick={() => void reload()}>
            {reloading === '' ? 'Reloading …' : 'Reload changed plugins'}
          </button>
        )}
      </div>
      <p class="report" role="status">
        {operationReport.value}
      </p>
      {problematicCount > 0 && (
        <p>{`${problematicCount} of ${plugins.value.length} plugins ${problematicCount === 1 ? 'has' : 'have'} problems.`}</p>
      )}
      {!canOperate.value && (
        <Notice title="You see only a summary of the plugins.">
          Their files, activity and problems, and the buttons Reload and Accept, need the scope{' '}
          <code>mortise:operate</code>.{' '}
          {hasKey() ? (
            'Open this page in a new tab and enter a key that has the scope.'
          ) : (
            <>
              Start the server with <code>mortise workbench</code>: the page that it opens has the scope.
            </>
          )}
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
          isLoading={reloading === plugin.name}
          onReload={canReload ? reload : undefined}
        />
      ))}
    </section>
  );
}

/** Sorts plugins with problems to the front when they first appear. Then no plugin moves until the view closes. */
function useStableOrder(all: readonly Plugin[]): readonly Plugin[] {
  const ranks = useRef(new Map<string, number>());
  const keyOf = ({ path, name }: Plugin) => path ?? name;
  for (const plugin of [...all].sort(bySeverity)) {
    if (!ranks.current.has(keyOf(plugin))) ranks.current.set(keyOf(plugin), ranks.current.size);
  }
  return [...all].sort((a, b) => ranks.current.get(keyOf(a))! - ranks.current.get(keyOf(b))!);
}

function bySeverity(a: Plugin, b: Plugin): number {
  const severityOf = (plugin: Plugin) => (hasErrors(plugin) ? 1_000 : 0) + problemsOf(plugin).length;
  return severityOf(b) - severityOf(a) || a.name.localeCompare(b.name);
}
