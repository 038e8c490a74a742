import { useRef, useState } from 'preact/hooks';
import { isObject, writeJson } from '../json/json.js';
import { messageOf } from '../rpc/message-of.js';
import { fillForm } from '../state/forms.js';
import {
  changeEntry,
  clearHistory,
  exportHistory,
  type HistoryEntry,
  history,
  importHistory,
  removeEntry,
} from '../state/history.js';
import { findTool } from '../state/lists.js';
import { go } from '../state/route.js';
import { startRun } from '../state/runs.js';
import { formatMs, formatTime, Notice, OutcomeBadge } from './parts.js';

const MAX_SHOWN = 200;

export function HistoryView() {
  const [filter, setFilter] = useState('');
  const [message, setMessage] = useState('');
  const words = filter.toLowerCase();
  const matching = history.value.filter((entry) =>
    `${entry.name ?? ''} ${entry.tool} ${writeJson(entry.args)} ${entry.summary}`.toLowerCase().includes(words),
  );
  const saved = matching.filter(({ isPinned, name }) => isPinned || name !== undefined);
  const recent = matching.filter((entry) => !saved.includes(entry)).slice(0, MAX_SHOWN);
  return (
    <section class="page" aria-label="History">
      <div class="page-head">
        <h1>History</h1>
        <Transfer onMessage={setMessage} />
      </div>
      <p class="hint">
        This browser keeps your calls without their results. It removes secrets before it stores a call.
      </p>
      <p role="status">{message}</p>
      <input
        type="search"
        aria-label="Filter the calls"
        placeholder="Filter the calls"
        value={filter}
        onInput={({ currentTarget }) => setFilter(currentTarget.value)}
      />
      {history.value.length === 0 && (
        <Notice title="There are no calls yet.">Each call that you run appears here.</Notice>
      )}
      {history.value.length > 0 && matching.length === 0 && <Notice title="No call matches." />}
      {saved.length > 0 && <Entries title="Saved and pinned" entries={saved} />}
      {recent.length > 0 && <Entries title="Recent" entries={recent} />}
    </section>
  );
}

function Transfer({ onMessage }: { onMessage: (message: string) => void }) {
  const file = useRef<HTMLInputElement>(null);
  const load = async () => {
    const [chosen] = file.current?.files ?? [];
    if (!chosen) return;
    try {
      const count = await importHistory(await chosen.text());
      onMessage(count === 1 ? 'One call was added.' : `${count} calls were added.`);
    } catch (error) {
      onMessage(messageOf(error));
    }
    file.current!.value = '';
  };
  return (
    <div class="actions">
      <button type="button" onClick={saveExport}>
        Export
      </button>
      <label class="button">
        Import
        <input ref={file} class="visually-hidden" type="file" accept="application/json" onChange={() => void load()} />
      </label>
      <button type="button" class="quiet" onClick={clearHistory}>
        Clear recent
      </button>
    </div>
  );
}

function saveExport(): void {
  const url = URL.createObjectURL(new Blob([exportHistory()], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: 'mortise-calls.json' });
  link.click();
  URL.revokeObjectURL(url);
}

function Entries({ title, entries }: { title: string; entries: readonly HistoryEntry[] }) {
  return (
    <>
      <h2>{title}</h2>
      <ul class="entries">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
    </>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const tool = findTool(entry.tool);
  const fill = () => {
    if (!tool) return;
    fillForm(tool, entry.args);
    go('tools', tool.name);
  };
  const replay = () => {
    fill();
    if (tool && isObject(entry.args)) void startRun(tool, entry.args);
  };
  return (
    <li class="panel entry" aria-label={entry.name ?? entry.tool}>
      <div class="entry-head">
        <strong>{entry.name ?? entry.tool}</strong>
        {entry.name && <code>{entry.tool}</code>}
        <OutcomeBadge outcome={entry.outcome} />
        <span class="hint">
          {formatTime(entry.at)}, {formatMs(entry.elapsedMs)}
        </span>
      </div>
      <code class="entry-args">{writeJson(entry.args).slice(0, 300)}</code>
      {entry.summary && <p class="hint">{entry.summary}</p>}
      <div class="actions">
        <button type="button" disabled={!tool} onClick={fill}>
          Fill in
        </button>
        <button type="button" disabled={!tool} onClick={replay}>
          Run again
        </button>
        <button
          type="button"
          class="quiet"
          aria-pressed={entry.isPinned === true}
          onClick={() => changeEntry(entry.id, { isPinned: !entry.isPinned })}
        >
          {entry.isPinned ? 'Unpin' : 'Pin'}
        </button>
        <SaveAs entry={entry} />
        <button type="button" class="quiet" onClick={() => removeEntry(entry.id)}>
          Remove
        </button>
      </div>
    </li>
  );
}

function SaveAs({ entry }: { entry: HistoryEntry }) {
  const [name, setName] = useState<string>();
  if (name === undefined) {
    return (
      <button type="button" class="quiet" onClick={() => setName(entry.name ?? '')}>
        {entry.name === undefined ? 'Save as …' : 'Rename …'}
      </button>
    );
  }
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') changeEntry(entry.id, { name: name.trim() });
        setName(undefined);
      }}
    >
      <input
        type="text"
        aria-label="Name of the call"
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit">Save</button>
    </form>
  );
}
