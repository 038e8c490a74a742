import { visibleText } from 'mortise/util/visible-text';
import type { ComponentChildren } from 'preact';
import { problemsOf } from '../state/lists.js';
import { hrefOf } from '../state/route.js';
import type { Plugin, PluginActivity, PluginProblem } from '../state/types.js';
import { AcceptButton, DefinitionChanges } from './definition-changes.js';
import { formatBytes, formatMs, formatNumber, Notice, WithCode } from './parts.js';

interface CardProps {
  readonly plugin: Plugin;
  readonly isLoading: boolean;
  readonly onReload: ((plugin: string) => void) | undefined;
}

export function PluginCard({ plugin, isLoading, onReload }: CardProps) {
  const { name, version, origin, kind, path, state, loadMs, activity } = plugin;
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
          <button
            type="button"
            class="quiet"
            disabled={isLoading}
            aria-label={`Reload ${name}`}
            onClick={() => onReload(name)}
          >
            {isLoading ? 'Reloading …' : 'Reload'}
          </button>
        )}
      </div>
      {path !== undefined && (
        <p class="plugin-path">
          <span class="hint">{origin === undefined ? kind : `${kind} from ${ORIGINS[origin.from]}`}:</span>{' '}
          <code>{path}</code>
        </p>
      )}
      {origin?.from === 'package' && (
        <p class="plugin-path">
          <span class="hint">package:</span> <code>{`${origin.package}@${origin.version ?? ''}`}</code>{' '}
          <code>{origin.integrity ?? 'not in package-lock.json'}</code>
        </p>
      )}
      <dl class="figures">
        {loadMs !== undefined && <Figure title="Loaded in">{formatMs(loadMs)}</Figure>}
        {activity && <Activity activity={activity} />}
      </dl>
      <Names title="Tools" names={plugin.tools} view="tools" />
      <Names title="Resources" names={plugin.resources} view="resources" />
      <Names title="Prompts" names={plugin.prompts} view="prompts" />
      {typeof plugin.problems === 'number' && plugin.problems > 0 && (
        <p class="warn">
          {plugin.problems === 1 ? 'This plugin has 1 problem.' : `This plugin has ${plugin.problems} problems.`}
        </p>
      )}
      {problemsOf(plugin).map((problem, index) => (
        <Problem key={index} problem={problem} plugin={name} />
      ))}
    </article>
  );
}

const ORIGINS = { package: 'an npm package', folder: 'a folder', file: 'a file' } as const;

function Activity({ activity: { calls, errors, p50Ms, p95Ms, memoryBytes, crashes } }: { activity: PluginActivity }) {
  return (
    <>
      <Figure title="Calls">
        {formatNumber(calls)}
        {errors > 0 && <span class="bad">, {formatNumber(errors)} failed</span>}
      </Figure>
      <Figure title="p50" hint="Half of the calls took less">
        {p50Ms === undefined ? '–' : formatMs(p50Ms)}
      </Figure>
      <Figure title="p95" hint="19 of 20 calls took less">
        {p95Ms === undefined ? '–' : formatMs(p95Ms)}
      </Figure>
      <Figure title="Memory" hint="Memory of the plugin's process and its child processes">
        {memoryBytes === undefined ? 'no process' : formatBytes(memoryBytes)}
      </Figure>
      <Figure title="Restarts" hint="How often the plugin's process ended unexpectedly. The next call starts it again.">
        <span class={crashes > 0 ? 'bad' : ''}>{formatNumber(crashes)}</span>
      </Figure>
    </>
  );
}

function Figure({ title, hint, children }: { title: string; hint?: string; children: ComponentChildren }) {
  return (
    <div title={hint}>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
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

/**
 * Shows a problem with its place and its hint.
 * @param plugin the plugin that has the problem; with it, a changed definition can be compared and accepted
 */
export function Problem({
  problem: { severity, code, message, hint, location, data },
  plugin,
}: {
  problem: PluginProblem;
  plugin?: string;
}) {
  const place = [location.file, location.line, location.column].filter((part) => part !== undefined).join(':');
  const changes = plugin === undefined ? undefined : data?.changes;
  // The further lines of the message repeat a part of the difference. The view of the plugins shows the whole.
  const [title = ''] = data?.changes ? message.split('\n', 1) : [message];
  return (
    <Notice kind={severity === 'error' ? 'bad' : 'warn'} title={visibleText(title)}>
      <p>
        <code>{code}</code> <code>{place}</code>
      </p>
      {changes && <DefinitionChanges changes={changes} />}
      <p>
        <WithCode text={hint} />
      </p>
      {plugin !== undefined && data?.sha256 !== undefined && (
        <div class="actions">
          <AcceptButton plugin={plugin} sha256={data.sha256} />
        </div>
      )}
    </Notice>
  );
}
