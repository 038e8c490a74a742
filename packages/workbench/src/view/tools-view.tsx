import { visibleText } from 'mortise/util/visible-text';
import { useMemo, useRef, useState } from 'preact/hooks';
import { connection } from '../state/connection.js';
import {
  arePluginsKnown,
  changedTools,
  definitionTokens,
  findTool,
  groupOf,
  pluginOfTool,
  plugins,
  tools,
} from '../state/lists.js';
import { isOpen, latestRun } from '../state/live-run.js';
import { hrefOf, route, START } from '../state/route.js';
import type { Tool } from '../state/types.js';
import { lazy } from './lazy.js';
import { RunView } from './lazy-run-view.js';
import { BackLink, Badges, formatNumber, Notice } from './parts.js';
import { ToolPage } from './tool-page.js';
import { VirtualList } from './virtual-list.js';

type Row = { readonly group: string; readonly size: number } | { readonly tool: Tool };

const ROW_HEIGHT = 48;

const Overview = lazy(() => import('./overview.js').then((module) => module.Overview));

/** Shows the list of tools and the chosen tool; a narrow screen shows only one of them. */
export function ToolsView() {
  const { name, encodedArgs, isStart } = route.value;
  const tool = name === undefined ? undefined : findTool(name);
  // A call continues when its tool is removed. The page remembers each tool that it has shown, to still show the call.
  const shownTools = useRef(new Map<string, Tool>());
  if (tool) shownTools.current.set(tool.name, tool);
  return (
    <div class={`split ${name === undefined && !isStart ? '' : 'split-detail'}`}>
      <ToolList selected={name} />
      <section class="detail" aria-label="Tool">
        {tool !== undefined ? (
          <ToolPage key={tool.name} tool={tool} encodedArgs={encodedArgs} />
        ) : name !== undefined && tools.value !== undefined ? (
          <MissingTool name={name} former={shownTools.current.get(name)} />
        ) : (
          <Welcome />
        )}
      </section>
    </div>
  );
}

/** @param former the tool before it was removed; undefined if the page has never shown it */
function MissingTool({ name, former }: { name: string; former: Tool | undefined }) {
  const run = latestRun(name);
  return (
    <>
      <BackLink href={hrefOf('tools')}>All tools</BackLink>
      <Notice kind="warn" title={former ? `The tool ${name} was removed.` : `There is no tool ${name}.`}>
        {former
          ? 'Its plugin was reloaded or removed. A running call continues with the old code. '
          : 'It may belong to a plugin that is not loaded. '}
        <a href={hrefOf('plugins')}>See the plugins.</a>
      </Notice>
      {former && run && <RunView tool={former} run={run} />}
    </>
  );
}

function Welcome() {
  if (tools.value === undefined)
    return <Notice title={connection.value === 'connecting' ? 'Connecting …' : 'Loading the tools …'} />;
  // The server's own tools do not count. They belong to no plugin.
  const isEmpty = arePluginsKnown.value && tools.value.every(({ name }) => !pluginOfTool.value.has(name));
  if (isEmpty && plugins.value.some(({ state }) => state === 'loading')) {
    return <Notice title="The plugins are loading …" />;
  }
  if (isEmpty) {
    return (
      <Notice title="There are no tools yet.">
        Create a plugin with <code>mortise new hello</code>. It appears here as soon as it is loaded.
      </Notice>
    );
  }
  return <Overview />;
}

function ToolList({ selected }: { selected: string | undefined }) {
  const [search, setSearch] = useState('');
  const all = arePluginsKnown.value ? tools.value : undefined;
  const rows = useMemo(() => rowsOf(all ?? [], search), [all, search, pluginOfTool.value]);
  const selectedIndex = rows.findIndex((row) => 'tool' in row && row.tool.name === selected);
  const count = rows.filter((row) => 'tool' in row).length;
  const first = rows.find((row): row is { tool: Tool } => 'tool' in row);
  return (
    <section class="sidebar" aria-label="All tools">
      <BackLink href={START}>Start</BackLink>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (first) location.hash = hrefOf('tools', first.tool.name);
        }}
      >
        <input
          data-search
          type="search"
          placeholder="Search the tools"
          aria-label="Search the tools"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <p class="visually-hidden" role="status">
          {count} tools
        </p>
      </form>
      {all === undefined ? (
        <div class="skeletons" aria-hidden="true">
          {Array.from({ length: 6 }, (_, index) => (
            <div key={index} class="skeleton" />
          ))}
        </div>
      ) : count === 0 && all.length > 0 ? (
        <Notice title="No tool matches.">
          <button type="button" onClick={() => setSearch('')}>
            Show all
          </button>
        </Notice>
      ) : (
        <VirtualList
          class="tool-list"
          items={rows}
          rowHeight={ROW_HEIGHT}
          revealed={selectedIndex}
          attributes={{ onKeyDown: moveFocus }}
          render={(row) =>
            'tool' in row ? (
              <ToolRow key={row.tool.name} tool={row.tool} isSelected={row.tool.name === selected} />
            ) : (
              <GroupRow key={`/${row.group}`} {...row} />
            )
          }
        />
      )}
    </section>
  );
}

function GroupRow({ group, size }: { group: string; size: number }) {
  return (
    <h2 class="group-row" style={{ height: `${ROW_HEIGHT}px` }}>
      {group} <span class="count">{size}</span>
    </h2>
  );
}

function ToolRow({ tool, isSelected }: { tool: Tool; isSelected: boolean }) {
  const change = changedTools.value.get(tool.name);
  const title = tool.title ?? tool.annotations?.title;
  const run = latestRun(tool.name);
  return (
    <a
      class="tool-row"
      style={{ height: `${ROW_HEIGHT}px` }}
      href={hrefOf('tools', tool.name)}
      aria-current={isSelected ? 'true' : undefined}
    >
      <span class="tool-row-head">
        <span class="tool-row-name" title={title ?? tool.name}>
          {visibleText(title ?? tool.name)}
        </span>
        {change && <span class="badge badge-change">{change}</span>}
        {run && isOpen(run) && <span class="badge">{run.state === 'waiting' ? 'asks' : 'running'}</span>}
        <Badges annotations={tool.annotations} isBrief />
        <span class="tool-row-size" title="The approximate size of the definition in tokens">
          ≈ {formatNumber(definitionTokens(tool))}
        </span>
      </span>
      <span class="tool-row-id">
        {title !== undefined && <code>{tool.name}</code>} {visibleText(tool.description ?? '')}
      </span>
    </a>
  );
}

/** Moves the focus to the next or previous link of the list with the arrow keys. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const next = links[links.indexOf(document.activeElement as HTMLAnchorElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Lists the tools that contain all words of the search, grouped by plugin. */
function rowsOf(all: readonly Tool[], search: string): Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Tool[]>();
  for (const tool of all) {
    const text = `${tool.name} ${tool.title ?? ''} ${tool.description ?? ''} ${groupOf(tool)}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const group = groupOf(tool);
    const members = groups.get(group);
    if (members) members.push(tool);
    else groups.set(group, [tool]);
  }
  return [...groups]
    .sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([group, members]) => [{ group, size: members.length }, ...members.map((tool) => ({ tool }))]);
}
